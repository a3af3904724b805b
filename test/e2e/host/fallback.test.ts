// When no host can start, cclaude runs claude in the terminal itself and says so in one line.
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import { openTerminal, run } from "../../support/terminal/host-world.ts";
import { OuterTerminal, sandboxWithProgram } from "../../support/terminal/outer-terminal.ts";
import { tmuxMissing } from "../../support/terminal/tmux.ts";

const script = `ps -o args= -p $PPID; tty; echo "$@"; read line; exit 5`;
const note = /^cclaude: Claude runs without a host and ends with this terminal: [^\r\n]+\r\n/;

async function play(
  sandbox: Sandbox,
  env: Record<string, string>,
  words: readonly string[],
): Promise<{ text: string; exitCode: number | null }> {
  await using outer = new OuterTerminal(sandbox, words, env);
  await outer.until("/dev/");
  outer.type("\r");
  const { bytes, exitCode } = await outer.end();
  return { text: bytes.toString(), exitCode };
}

const obstacles: [string, (sandbox: Sandbox) => Record<string, string>][] = [
  [
    "the state directory cannot be written",
    ({ root }) => {
      writeFileSync(join(root, "file"), "");
      return { XDG_STATE_HOME: join(root, "file/below") };
    },
  ],
  [
    "the host's record cannot be written",
    ({ home }) => {
      const state = join(home, ".local/state/ai-runtime");
      mkdirSync(state, { recursive: true, mode: 0o700 });
      writeFileSync(join(state, "hosts"), "");
      return {};
    },
  ],
  ["there is no directory for temporary files", ({ root }) => ({ TMPDIR: join(root, "missing") })],
];

test.each(obstacles)("when %s, claude runs in the terminal itself", async (_, obstruct) => {
  const { sandbox, env } = await sandboxWithProgram(script);
  await using _sandbox = sandbox;
  const { text, exitCode } = await play(sandbox, { ...env, ...obstruct(sandbox) }, ["cclaude", "--verbose"]);
  expect(text).toMatch(note);
  expect(text).toContain("--verbose");
  expect(exitCode).toBe(5);
  expect(readdirSync(join(sandbox.root, "tmp"))).toEqual([]);
  expect(
    readdirSync(join(sandbox.root, "run"), { recursive: true }).filter((name) => /\.(?:sock|lock)$/.test(String(name))),
  ).toEqual([]);
});

test.each([
  ["--direct", {}, ["cclaude", "--direct"]],
  ["CCLAUDE_DIRECT=1", { CCLAUDE_DIRECT: "1" }, ["cclaude"]],
  ["the setting", { CCLAUDE_HOSTING: "off" }, ["cclaude"]],
  ["a redirected stderr", {}, ["sh", "-c", "cclaude 2>/dev/null"]],
] as const)("%s runs claude in the terminal itself, without a word", async (_, more, words) => {
  const { sandbox, env } = await sandboxWithProgram(script);
  await using _sandbox = sandbox;
  const { text, exitCode } = await play(sandbox, { ...env, ...more }, words);
  expect(text).not.toContain("cclaude:");
  expect(exitCode).toBe(5);
  expect(existsSync(join(sandbox.home, ".local/state/ai-runtime/hosts"))).toBe(false);
});

test("a missing claude is reported as without a host", async () => {
  const { sandbox, env } = await sandboxWithProgram(script);
  await using _ = sandbox;
  rmSync(env["CCLAUDE_CLAUDE_BIN"] ?? "");
  await using outer = new OuterTerminal(sandbox, ["cclaude"], env);
  const { bytes, exitCode } = await outer.end();
  expect(bytes.toString()).toMatch(/^cclaude: CCLAUDE_CLAUDE_BIN is .* not an executable file\r\n$/);
  expect(exitCode).not.toBe(0);
});

test.skipIf(tmuxMissing() !== undefined)(
  "when the host ends before a cclaude in the background has the terminal, claude runs in the terminal itself",
  async () => {
    const { sandbox, env } = await sandboxWithProgram(script);
    await using _ = sandbox;
    await using terminal = await openTerminal(sandbox, env);
    // The shell stops a background job that asks for the terminal, here between the connection and its first frame.
    const untilStopped = 'until [ -n "$(jobs -s)" ]; do :; done';
    run(terminal, `cclaude --verbose & ${untilStopped}; kill -9 $(pgrep -P $!); fg; echo code $?`);
    await terminal.until(/^cclaude: Claude runs without a host[^]*^\/dev\//m);
    terminal.press("Enter");
    await terminal.until(/^code 5$/m);
  },
);
