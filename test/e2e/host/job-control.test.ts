// Ctrl-Z, fg, bg, stops and resizes of a hosted program under a real shell.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sandboxWithProgram } from "../../support/terminal/outer-terminal.ts";
import { hostRecord, openTerminal, run } from "../../support/terminal/host-world.ts";
import { type Tmux, tmuxMissing } from "../../support/terminal/tmux.ts";
import { untilFile } from "../../support/until-file.ts";

const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);

/** Shows what it gets, and its first SIGCONT: the shell and cclaude may both send one. Stops its group at Ctrl-Z as recent clients do, or only itself as older ones do. */
const program = (stop: string): string => `
trap '[ $((continues += 1)) -gt 1 ] || echo continued' CONT
trap '[ -n "$SHOW_SIZE" ] && stty size' WINCH
echo ready
while :; do
  read -r line || continue
  case $line in
    stop) echo stopping; ${stop} ;;
    quit) exit 6 ;;
    *) echo "<$line>" ;;
  esac
done`;
const stops = [
  ["its process group (SIGTSTP)", "kill -TSTP 0"],
  ["only itself (SIGSTOP)", "kill -STOP $$"],
] as const;

const shell = /READY> *\n*$/;

test.skipIf(missing !== undefined).each(stops)("a program that stops %s is a stopped job until fg", async (_, stop) => {
  const play = async (how: string): Promise<string> => {
    const { sandbox, env } = await sandboxWithProgram(program(stop));
    await using _sandbox = sandbox;
    await using terminal = await openTerminal(sandbox, env);
    run(terminal, `clear; cclaude ${how}`);
    await terminal.until(/^ready/m);
    run(terminal, "stop");
    await terminal.until(/Stopped[^]*READY> *\n*$/);
    run(terminal, "jobs; stty -a | grep -ow icanon");
    await terminal.until(/^icanon\s+READY> *\n*$/m);
    terminal.resize({ columns: 90, rows: 28 });
    run(terminal, "fg");
    await terminal.until(/continued/);
    run(terminal, "again");
    await terminal.until(/<again>/);
    run(terminal, "quit");
    await terminal.until(shell);
    run(terminal, "echo code=$?");
    await terminal.until(/code=6\s+READY> *\n*$/);
    const lines = terminal.screen
      .replaceAll(" --direct", "")
      .split("\n")
      .map((line) => line.trimEnd());
    return lines.filter((line) => line !== "").join("\n");
  };
  expect(await play("")).toBe(await play("--direct"));
});

test.skipIf(missing !== undefined)("a script that runs cclaude stops and continues as one job", async () => {
  const { sandbox, env } = await sandboxWithProgram(program("kill -TSTP 0"));
  await using _ = sandbox;
  await using terminal = await openTerminal(sandbox, env);
  writeFileSync(join(sandbox.projectDir, "script"), "cclaude; echo after=$?\n");
  run(terminal, "bash script");
  await terminal.until(/^ready/m);
  run(terminal, "stop");
  await terminal.until(/Stopped +bash script[^]*READY> *\n*$/);
  run(terminal, "bg; wait");
  await terminal.until(/Stopped[^]*Stopped/);
  run(terminal, "fg");
  await terminal.until(/continued/);
  run(terminal, "quit");
  await terminal.until(/after=6/);
});

test.skipIf(missing !== undefined)("a stopped client that is killed leaves a program that continues", async () => {
  const { sandbox, env } = await sandboxWithProgram(program("kill -TSTP 0"));
  await using _ = sandbox;
  // A slow machine may attach again only after the host has begun to end the program.
  await using terminal = await openTerminal(sandbox, { ...env, AI_RUNTIME_ON_HANGUP: "keep" });
  run(terminal, "cclaude & echo $! > client.pid; fg");
  await terminal.until(/^ready/m);
  run(terminal, "stop");
  await terminal.until(/Stopped[^]*READY> *\n*$/);
  process.kill(await clientPid(sandbox.projectDir), "SIGKILL");
  // The shell reports it before its next prompt.
  await terminal.pressUntil("Enter", /Killed/);
  run(terminal, "clear; ai-runtime attach");
  await terminal.until(/continued/);
  run(terminal, "quit");
  await terminal.until(shell);
});

test.skipIf(missing !== undefined)("kill -STOP and -CONT of the client lose nothing", async () => {
  const { sandbox, env } = await sandboxWithProgram(program("kill -TSTP 0"));
  await using _ = sandbox;
  await using terminal = await openTerminal(sandbox, env);
  run(terminal, "cclaude & echo $! > client.pid; fg");
  await terminal.until(/^ready/m);
  const pid = await clientPid(sandbox.projectDir);
  process.kill(pid, "SIGSTOP");
  await terminal.until(/Stopped[^]*READY> *\n*$/);
  run(terminal, "fg");
  await terminal.until(/continued/);
  run(terminal, "kept");
  await terminal.until(/<kept>/);
  run(terminal, "quit");
  await terminal.until(shell);
});

test.skipIf(missing !== undefined)("after a storm of resizes the program has the last size", async () => {
  const { sandbox, env } = await sandboxWithProgram(program("kill -TSTP 0"));
  await using _ = sandbox;
  await using terminal = await openTerminal(sandbox, { ...env, SHOW_SIZE: "1" });
  run(terminal, "cclaude");
  await terminal.until(/^ready/m);
  for (let step = 0; step < 40; step++) terminal.resize({ columns: 60 + (step % 20), rows: 20 + (step % 7) });
  terminal.resize({ columns: 87, rows: 26 });
  await terminal.until(/^26 87\s*$/m);
  expect(hostRecord(sandbox).end).toBeNull();
  await quit(terminal);
});

const clientPid = async (directory: string): Promise<number> =>
  Number(await untilFile(join(directory, "client.pid"), (text) => text.endsWith("\n")));

async function quit(terminal: Tmux): Promise<void> {
  run(terminal, "quit");
  await terminal.until(shell);
}
