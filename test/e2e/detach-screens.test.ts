// Full-screen programs in a host, seen in a real terminal: detached and attached again, the picture is the same.
import { expect, test } from "bun:test";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executable } from "../support/executable.ts";
import { detachKeys, hostRecord, openTerminal, run } from "../support/host-world.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { type Tmux, tmuxMissing } from "../support/tmux.ts";
import { untilFile } from "../support/until-file.ts";

const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);

/** Any program in the place of claude: cclaude starts it, and the host does not know the difference. */
async function hosting(script: string): Promise<{ sandbox: Sandbox; env: Record<string, string> }> {
  const sandbox = await createSandbox({ claude: "none" });
  await sandbox.installBinaries(executable);
  const program = join(sandbox.root, "program");
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return { sandbox, env: { CCLAUDE_CLAUDE_BIN: program } };
}

const ownProgram = `exec ${process.execPath} ${join(import.meta.dir, "programs/full-screen.ts")}`;
const programs: [string, string, RegExp, boolean][] = [
  ["a program of our own", ownProgram, /typed: \./, false],
  [
    "vim",
    "exec vim -u NONE -N +'syntax on' +'set number mouse=a' README.md",
    /A project[^]*README\.md/,
    Bun.which("vim") === null,
  ],
  ["htop", "exec htop", /F10/, Bun.which("htop") === null],
];

for (const [name, script, drawn, isMissing] of programs) {
  test.skipIf(missing !== undefined || isMissing)(
    `${name}: the picture is the same in another terminal`,
    async () => {
      const { sandbox, env } = await hosting(script);
      await using _ = sandbox;
      await using first = await openTerminal(sandbox, env);
      run(first, "cclaude --detachable");
      await first.until(drawn);
      // htop moves by itself: only where it stands is compared.
      const isStill = name !== "htop";
      const before = await settled(first);
      const { modes } = first;
      expect(modes).not.toBe("");
      first.press(...detachKeys);
      await first.until(/^Detached from/m);
      expect(first.modes).toBe("");
      first.kill();

      await using second = await openTerminal(sandbox);
      run(second, "ai-runtime attach");
      await second.until(/attached to .* detaches/);
      await second.until((screen) => drawn.test(screen) && !screen.includes("detaches"), "the notice is gone");
      const after = await settled(second);
      expect(after.cursor).toBe(before.cursor);
      if (isStill) expect(after.screen).toBe(before.screen);
      expect(second.modes).toBe(modes);
    },
    120_000,
  );
}

test.skipIf(missing !== undefined)(
  "a client that is killed leaves the program alone; keys, mouse, paste and sizes reach it from the next",
  async () => {
    const { sandbox, env } = await hosting(`echo $PPID > cclaude.pid; ${ownProgram}`);
    await using _ = sandbox;
    await using first = await openTerminal(sandbox, env);
    run(first, `cclaude --detachable & echo $! > client.pid; fg`);
    await first.until(/100 by 30[^]*typed:/);
    const client = Number(await untilFile(join(sandbox.projectDir, "client.pid"), (text) => text.endsWith("\n")));
    process.kill(client, "SIGKILL");
    await first.until(/Killed/);

    await using second = await openTerminal(sandbox);
    run(second, "ai-runtime attach");
    await second.until(/100 by 30[^]*attached to/);
    second.type("abc");
    await second.until(/typed: abc/);
    second.press("Up", "C-c", "C-z");
    await second.until(/typed: abc\\u001bOA\\u0003\\u001a/);
    second.type("\x1b[<0;7;3M\x1b[200~pasted\x1b[201~");
    await second.until(/\\u001b\[<0;7;3M\\u001b\[200~pasted\\u001b\[201~/);
    second.resize({ columns: 90, rows: 20 });
    await second.until(/90 by 20[^]*typed: /);
    await using third = await openTerminal(sandbox, {}, { columns: 70, rows: 25 });
    run(third, "ai-runtime attach");
    await third.until(/70 by 20/);
    await second.until(/70 by 20/);
    third.type("z");
    await third.until(/typed: .*z\.$/m);
    await second.until(/typed: .*z\.$/m);
    third.press(...detachKeys);
    await third.until(/^Detached from/m);
    await second.until(/90 by 20/);
    second.press("q");
    await second.until(/READY> *\n*$/);
    run(second, "echo code=$?");
    await second.until(/code=3/);
    expect(hostRecord(sandbox).end).toMatchObject({ exitCode: 3 });
  },
  120_000,
);

test.skipIf(missing !== undefined)(
  "a host that is killed gives the terminal back; after a logout that took the socket, attach has it made anew",
  async () => {
    const { sandbox, env } = await hosting(ownProgram);
    await using _ = sandbox;
    await using terminal = await openTerminal(sandbox, env);
    run(terminal, "cclaude --detachable");
    await terminal.until(/typed: \./);
    terminal.press(...detachKeys);
    await terminal.until(/^Detached from/m);
    rmSync(join(sandbox.root, "run/ai-runtime"), { recursive: true });
    // At once, before the shell itself puts anything right.
    run(terminal, "ai-runtime attach; stty -a | grep -o ' icanon'");
    await terminal.until(/attached to/);
    terminal.type("x");
    await terminal.until(/typed: x\./);
    process.kill(hostRecord(sandbox).running?.host.pid ?? 0, "SIGKILL");
    await terminal.until(/^The host of .* is gone/m);
    expect(terminal.modes).toBe("");
    expect(terminal.picture.cursor).toContain("shown main");
    await terminal.until(/^ icanon\nREADY>/m);
  },
  120_000,
);

test.skipIf(missing !== undefined)(
  "a client that is suspended gives the terminal to the shell, and takes it again",
  async () => {
    const { sandbox, env } = await hosting(ownProgram);
    await using _ = sandbox;
    await using terminal = await openTerminal(sandbox, env);
    run(terminal, `cclaude --detachable & echo $! > client.pid; fg`);
    await terminal.until(/typed: \./);
    const { modes } = terminal;
    const client = Number(await untilFile(join(sandbox.projectDir, "client.pid"), (text) => text.endsWith("\n")));
    process.kill(client, "SIGTSTP");
    await terminal.until(/Stopped[^]*READY> *\n*$/);
    expect(terminal.modes).toBe("");
    expect(terminal.picture.cursor).toContain("shown main");
    run(terminal, "fg");
    await terminal.until(/typed: \./);
    terminal.type("x");
    await terminal.until(/typed: x\./);
    expect(terminal.modes).toBe(modes);
    terminal.press(...detachKeys);
    await terminal.until(/^Detached from/m);
  },
  120_000,
);

test.skipIf(missing !== undefined)(
  "after the end attach tells how it ended, with its exit code; a signal is a signal",
  async () => {
    const { sandbox, env } = await hosting("kill -KILL $$");
    await using _ = sandbox;
    await using terminal = await openTerminal(sandbox, { ...env });
    run(terminal, "cclaude --detachable");
    await terminal.until(/Killed[^]*READY> *\n*$/);
    run(terminal, "clear; ai-runtime attach; echo code=$?");
    await terminal.until(/ended at [\d:]+ \(SIGKILL\)\.\ncode=137/);
    expect(hostRecord(sandbox).end).toMatchObject({ exitCode: 137, signal: "SIGKILL" });
  },
  120_000,
);

test.skipIf(missing !== undefined)(
  "claude gets every word but ours, and one more that names its conversation",
  async () => {
    const { sandbox, env } = await hosting(`printf '<%s>\\n' "$@"; read line`);
    await using _ = sandbox;
    await using terminal = await openTerminal(sandbox, env, { columns: 200, rows: 40 });
    run(terminal, `cclaude --bare --append-system-prompt --detachable --detachable 'a b' -- --detachable`);
    await terminal.until(/<--bare>\n<--append-system-prompt>\n<--detachable>\n<a b>\n<-->\n<--detachable>\n/);
    expect(terminal.screen).toMatch(/<--session-id>\n<[0-9a-f-]{36}>\n<--bare>/);
    expect(terminal.screen.match(/^<--detachable>/gm)).toHaveLength(2);
  },
  120_000,
);

/** Two looks in a row that are the same. */
async function settled(terminal: Tmux): Promise<Tmux["picture"]> {
  let last = terminal.picture;
  await terminal.until(() => {
    const now = terminal.picture;
    const isSame = JSON.stringify(now) === JSON.stringify(last);
    last = now;
    return isSame;
  }, "a picture that stands still");
  return last;
}
