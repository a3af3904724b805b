// Colours are for a terminal, and for one whose user has not said no to them.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { HookWorld } from "../support/hook-world.ts";
import { InstalledWorld } from "../support/installed-world.ts";

setDefaultTimeout(60_000);

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

/** What a terminal is sent. */
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
  test("gets colours, and with NO_COLOR none, from any command", async () => {
    using made = await world();
    const colourful: string[] = [];
    for (const words of commands) {
      const plain = await onTerminal(made, words, { NO_COLOR: "1" });
      expect([words, plain.trim() !== "", painted.exec(plain)]).toEqual([words, true, null]);
      if (painted.test(await onTerminal(made, words, {}))) colourful.push(words.join(" "));
    }
    // The rule would hold as well if there were no colours at all.
    expect(colourful).toEqual(
      expect.arrayContaining(["session-snapshot status", "session-snapshot list some", "doctor"]),
    );
  });
});

test("what is no terminal gets none", async () => {
  using made = await world();
  for (const words of commands) {
    const { stdout, stderr } = await made.runWith("", words, { env: { TERM: "xterm-256color" } });
    expect([words, painted.exec(stdout + stderr)]).toEqual([words, null]);
  }
});
