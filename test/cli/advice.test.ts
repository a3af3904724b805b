// Advice must fit the state of the machine: it never asks for what is already done, and its command works.
import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addRun, run, sandboxWithClaude } from "../support/runs/scripted-claude.ts";
import { InstalledWorld } from "../support/worlds/installed-world.ts";

/** How the hooks can be in place, and what then keeps checkpoints and snapshots. */
const installs: Record<string, (world: InstalledWorld) => Promise<unknown>> = {
  "ai-runtime install": (world) => world.run("install"),
  "session-snapshot install": (world) => world.run("session-snapshot", "install"),
  "claude-hooks": (world) => {
    mkdirSync(join(world.home, ".config/claude-hooks/plugins"), { recursive: true });
    return world.run("session-snapshot", "install");
  },
  "the Claude Code plugin": async (world) =>
    writeFileSync(world.settings, JSON.stringify({ enabledPlugins: { "ai-runtime@ai-runtime": true } })),
};

const aboutSnapshots = [
  ["session-snapshot", "list"],
  ["session-snapshot", "restore"],
  ["session-snapshot", "list", "12345678"],
];
const aboutCheckpoints = [
  ["checkpoint", "show"],
  ["checkpoint", "show", "--global"],
  ["checkpoint", "list"],
];

test("without hooks, the advice is to install them", async () => {
  using world = new InstalledWorld();
  for (const words of [...aboutSnapshots, ...aboutCheckpoints]) {
    expect([words, await world.run(...words)]).toMatchObject([
      words,
      { exitCode: 4, stderr: expect.stringMatching(/Run (session-snapshot|ai-runtime) install/) },
    ]);
  }
});

describe.each(Object.entries(installs))("with hooks from %s", (how, install) => {
  const keepsCheckpoints = how === "ai-runtime install" || how === "the Claude Code plugin";

  test("the advice is not to install them", async () => {
    using world = new InstalledWorld();
    await install(world);
    for (const words of [...aboutSnapshots, ...(keepsCheckpoints ? aboutCheckpoints : [])]) {
      const { exitCode, stderr } = await world.run(...words);
      expect([words, exitCode]).toEqual([words, 4]);
      expect(stderr).toContain("hooks are installed");
      expect(stderr).not.toContain("Run ");
    }
    expect((await world.run("session-snapshot", "status")).stdout).not.toContain("install");
  });
});

test("points to the checkpoints of other directories when there are any", async () => {
  using world = new InstalledWorld();
  await world.runWith("", ["checkpoint", "save", "--goal", "g"], { cwd: world.home });
  const { stderr } = await world.run("checkpoint", "show");
  expect(stderr).toContain("See ai-runtime checkpoint list");
});

test("the demo ends without install when it is installed", async () => {
  using world = new InstalledWorld();
  const lastLine = async (): Promise<string> =>
    (await world.run("demo", "--fast")).stdout.trimEnd().split("\n\n").at(-1) ?? "";
  expect((await lastLine()).replaceAll("\n", " ")).toContain(
    "run ai-runtime install, then start cclaude instead of claude",
  );
  await world.run("install");
  expect((await lastLine()).replaceAll("\n", " ")).toContain(
    "To use it with your Claude: start cclaude instead of claude",
  );
});

test("an unknown run id leads to status only when there are runs", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  expect((await run(sandbox, ["logs", "nope"])).stderr).toContain(
    "There are no runs yet. Start one with: ai-runtime run",
  );
  addRun(sandbox, "20261117-090000-aaaa", { phase: "done" });
  expect((await run(sandbox, ["logs", "nope"])).stderr).toContain("ai-runtime status lists them");
});

test("status offers recover for one dead run, and recover --all for several", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  addRun(sandbox, "20261117-090000-aaaa", { phase: "working", attempts: 1 });
  expect((await run(sandbox, ["status"])).stdout).toEndWith("resume with: ai-runtime recover\n");
  addRun(sandbox, "20261117-100000-bbbb", { phase: "working", attempts: 1 });
  expect((await run(sandbox, ["status"])).stdout).toEndWith("resume with: ai-runtime recover --all\n");
  const attached = await run(sandbox, ["attach", "aaaa"]);
  expect(attached.stderr).toContain("Resume with: ai-runtime resume 20261117-090000-aaaa");
});

test("doctor offers to extend PATH, not to install, for shims that exist beside the executable", async () => {
  using world = new InstalledWorld();
  const elsewhere = join(world.home, "elsewhere");
  mkdirSync(elsewhere);
  symlinkSync(world.program, join(elsewhere, "ai-runtime"));
  world.env["PATH"] = `${elsewhere}:/usr/bin:/bin`;
  const fixes = async (): Promise<(string | null)[]> => {
    const { findings } = JSON.parse((await world.run("doctor", "--json")).stdout) as {
      findings: { name: string; message: string; fix: string | null }[];
    };
    return findings.filter(({ message }) => message === "cclaude is not on PATH").map(({ fix }) => fix);
  };
  expect(await fixes()).toEqual(["ai-runtime install --shims"]);
  await world.run("install", "--shims");
  expect(await fixes()).toEqual([`export PATH="${world.bin}:$PATH"`]);
});
