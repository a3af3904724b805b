// Only a terminal gets colors, unless NO_COLOR is set.
import { describe, expect, test } from "bun:test";
import { HookWorld } from "../support/worlds/hook-world.ts";
import { InstalledWorld } from "../support/worlds/installed-world.ts";

const commands = [
  ["status"],
  ["doctor"],
  ["checkpoint", "save", "--goal", "g"],
  ["checkpoint", "list"],
  ["session-snapshot", "status"],
  ["session-snapshot", "list", "some"],
  ["session-snapshot", "view", "some"],
  ["session-snapshot", "test"],
  ["session-snapshot", "clean", "--session", "some", "--dry-run"],
  ["run", "--no-such-flag"],
  ["--help"],
];
// oxlint-disable-next-line no-control-regex
const painted = /\x1b\[[\d;]*m/;

async function world(): Promise<InstalledWorld> {
  const made = new InstalledWorld();
  const hooks = new HookWorld(made.home);
  hooks.grow("some", 1_000);
  await hooks.hook("some");
  return made;
}

/** The output of a command on a terminal. */
async function onTerminal({ program, env, directory }: InstalledWorld, words: string[], more: object): Promise<string> {
  let shown = "";
  const decoder = new TextDecoder();
  const child = Bun.spawn([program, ...words], {
    env: { ...env, TERM: "xterm-256color", PAGER: "cat", ...more },
    cwd: directory,
    terminal: { cols: 100, rows: 30, data: (_, bytes) => void (shown += decoder.decode(bytes, { stream: true })) },
  });
  await child.exited;
  return shown;
}

describe.skipIf(process.platform === "win32")("a terminal", () => {
  test("gets colors from every command, and none with NO_COLOR", async () => {
    using made = await world();
    const colorful: string[] = [];
    for (const words of commands) {
      const plain = await onTerminal(made, words, { NO_COLOR: "1" });
      expect([words, plain.trim() !== "", painted.exec(plain)]).toEqual([words, true, null]);
      if (painted.test(await onTerminal(made, words, {}))) colorful.push(words.join(" "));
    }
    // Without this, the test would also pass if no command printed colors.
    expect(colorful).toEqual(
      expect.arrayContaining(["session-snapshot status", "session-snapshot list some", "doctor"]),
    );
  });
});

test("prints no colors without a terminal", async () => {
  using made = await world();
  for (const words of commands) {
    const { stdout, stderr } = await made.runWith("", words, { env: { TERM: "xterm-256color" } });
    expect([words, painted.exec(stdout + stderr)]).toEqual([words, null]);
  }
});
