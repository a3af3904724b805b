// Full-screen programs in a host, viewed in a real terminal: they look the same after detach and attach.
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { detachKeys, hostRecord, openTerminal, run } from "../../support/terminal/host-world.ts";
import { sandboxWithProgram } from "../../support/terminal/outer-terminal.ts";
import { type Tmux, tmuxMissing } from "../../support/terminal/tmux.ts";
import { untilFile } from "../../support/until-file.ts";

const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);

const testProgram = `exec ${process.execPath} ${join(import.meta.dir, "programs/full-screen.ts")}`;
const programs: [string, string, RegExp, boolean][] = [
  ["a test program", testProgram, /typed: \./, false],
  [
    "vim",
    "exec vim -u NONE -N +'syntax on' +'set number mouse=a' README.md",
    /A project[^]*README\.md/,
    Bun.which("vim") === null,
  ],
  ["htop", "exec htop", /F10/, Bun.which("htop") === null],
];

for (const [name, script, drawnPattern, isNotInstalled] of programs) {
  test.skipIf(missing !== undefined || isNotInstalled)(
    `${name} looks the same after attaching from another terminal`,
    async () => {
      const { sandbox, env } = await sandboxWithProgram(script);
      await using _ = sandbox;
      await using first = await openTerminal(sandbox, env);
      run(first, "cclaude");
      await first.until(drawnPattern);
      // htop updates on its own, so only its cursor and modes are compared.
      const isStatic = name !== "htop";
      const before = await untilStable(first);
      const { modes } = first;
      expect(modes).not.toBe("");
      first.press(...detachKeys);
      await first.until(/^Detached from/m);
      expect(first.modes).toBe("");
      first.kill();

      await using second = await openTerminal(sandbox);
      run(second, "ai-runtime attach");
      await second.until(/attached to .* detaches/);
      await second.until(
        (screen) => drawnPattern.test(screen) && !screen.includes("detaches"),
        "the notice to disappear",
      );
      const after = await untilStable(second);
      expect(after.cursor).toBe(before.cursor);
      if (isStatic) expect(after.screen).toBe(before.screen);
      expect(second.modes).toBe(modes);
    },
  );
}

test.skipIf(missing !== undefined)(
  "the program survives a killed client; keys, mouse, paste and resizes reach it from the next client",
  async () => {
    const { sandbox, env } = await sandboxWithProgram(`echo $PPID > cclaude.pid; ${testProgram}`);
    await using _ = sandbox;
    await using first = await openTerminal(sandbox, { ...env, AI_RUNTIME_ON_HANGUP: "keep" });
    run(first, `cclaude & echo $! > client.pid; fg`);
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
  },
);

test.skipIf(missing !== undefined)(
  "a killed host returns the terminal to the shell, and attach recreates a socket that a logout removed",
  async () => {
    const { sandbox, env } = await sandboxWithProgram(testProgram);
    await using _ = sandbox;
    await using terminal = await openTerminal(sandbox, env);
    run(terminal, "cclaude");
    await terminal.until(/typed: \./);
    terminal.press(...detachKeys);
    await terminal.until(/^Detached from/m);
    rmSync(join(sandbox.root, "run/ai-runtime"), { recursive: true });
    // In the same command line, before the shell restores the terminal itself.
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
);

test.skipIf(missing !== undefined)(
  "a suspended client returns the terminal to the shell and takes it back on fg",
  async () => {
    const { sandbox, env } = await sandboxWithProgram(testProgram);
    await using _ = sandbox;
    await using terminal = await openTerminal(sandbox, env);
    run(terminal, `cclaude & echo $! > client.pid; fg`);
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
);

test.skipIf(missing !== undefined)(
  "attach to an ended program prints how it ended and exits with its code, or with 128 plus the signal's number",
  async () => {
    const { sandbox, env } = await sandboxWithProgram("kill -KILL $$");
    await using _ = sandbox;
    await using terminal = await openTerminal(sandbox, { ...env });
    run(terminal, "ai-runtime run --interactive");
    await terminal.until(/Killed[^]*READY> *\n*$/);
    run(terminal, "clear; ai-runtime attach; echo code=$?");
    await terminal.until(/ended at [\d:]+ \(SIGKILL\)\.\ncode=137/);
    expect(hostRecord(sandbox).end).toMatchObject({ exitCode: 137, signal: "SIGKILL" });
  },
);

test.skipIf(missing !== undefined)(
  "claude receives every argument except our --detachable flag, plus a --session-id",
  async () => {
    const { sandbox, env } = await sandboxWithProgram(`printf '<%s>\\n' "$@"; read line`);
    await using _ = sandbox;
    await using terminal = await openTerminal(sandbox, env, { columns: 200, rows: 40 });
    run(terminal, `cclaude --bare --append-system-prompt --detachable --detachable 'a b' -- --detachable`);
    await terminal.until(/<--bare>\n<--append-system-prompt>\n<--detachable>\n<a b>\n<-->\n<--detachable>\n/);
    expect(terminal.screen).toMatch(/<--session-id>\n<[0-9a-f-]{36}>\n<--bare>/);
    expect(terminal.screen.match(/^<--detachable>/gm)).toHaveLength(2);
  },
);

test.skipIf(missing !== undefined)(
  "a program that starts without a client does not inherit the variables that describe a terminal",
  async () => {
    const { sandbox, env } = await sandboxWithProgram("env > environment; echo done >> environment; read line");
    await using _ = sandbox;
    await using terminal = await openTerminal(sandbox, { ...env, LINES: "7" });
    run(terminal, "COLUMNS=9 CLAUDECODE=1 STY=x ai-runtime run --interactive --detach");
    const variables = await untilFile(join(sandbox.projectDir, "environment"), (text) => text.endsWith("done\n"));
    expect(variables).toContain("\nTERM=xterm-256color\n");
    expect(variables).not.toMatch(/^(COLUMNS|LINES|TMUX|TMUX_PANE|STY|CLAUDECODE)=/m);
  },
);

/** Waits until two captures in a row are equal. */
async function untilStable(terminal: Tmux): Promise<Tmux["picture"]> {
  let last = terminal.picture;
  await terminal.until(() => {
    const now = terminal.picture;
    const isSame = JSON.stringify(now) === JSON.stringify(last);
    last = now;
    return isSame;
  }, "a stable screen");
  return last;
}
