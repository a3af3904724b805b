import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { projectDirectoryName } from "../../../../src/claude/paths.ts";
import { CheckpointWorld } from "../../../support/worlds/checkpoint-world.ts";

describe("checkpoint save", () => {
  test("writes both JSON files and the Markdown", async () => {
    using world = new CheckpointWorld();
    const words = ["--goal", "Ship *it*", "--done", "a", "--done=b", "--next", "c", "--blocker", "d", "--file", "x.ts"];
    const saved = await world.run("checkpoint", "save", ...words, "--pr", "https://example.invalid/1");
    expect(saved).toEqual({ exitCode: 0, stdout: "", stderr: "✔ Saved: Ship *it*; next c\n" });
    const kept = world.files.of(world.directory);
    expect(kept).toMatchObject({ goal: "Ship *it*", done: ["a", "b"], next: "c", blocker: "d", source: "user" });
    expect(kept.where).toMatchObject({ files: ["x.ts"], pr: "https://example.invalid/1", directory: world.directory });
    expect(world.files.latest()).toEqual(kept);
    const markdown = readFileSync(join(world.files.memory(world.directory), "checkpoint.md"), "utf8");
    expect((await world.run("checkpoint", "show")).stdout).toBe(markdown);
    expect(markdown.replace(/^Saved.*$/m, "Saved …")).toBe(`# Checkpoint

Saved …

**Goal:** Ship \\*it\\*

**Next:** c

**Blocker:** d

## Done so far

- a
- b

## Where

- directory: \`${world.directory}\`
- pull request: \`https://example.invalid/1\`
- files touched, the newest first:
  - \`x.ts\`
`);
  });

  test("--finished clears the blocker and the next step", async () => {
    using world = new CheckpointWorld();
    await world.run("checkpoint", "save", "--goal", "Ship it", "--next", "c", "--blocker", "d");
    const saved = await world.run("checkpoint", "save", "--finished");
    expect(saved.stderr).toBe("✔ Saved: Ship it; finished\n");
    expect(world.files.of(world.directory)).toMatchObject({
      goal: "Ship it",
      next: null,
      blocker: null,
      finished: true,
    });
    expect((await world.run("checkpoint", "show")).stdout).not.toContain("Blocker");
  });

  test("accepts JSON on stdin; in Claude's shell it belongs to Claude and the calling session", async () => {
    using world = new CheckpointWorld();
    await Bun.write(join(world.projectDirectory(), "abc.jsonl"), "{}\n");
    const json = JSON.stringify({ goal: "g", done: ["a"], next: "n", where: { issue: "#7" } });
    const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "abc" };
    const sub = join(world.directory, "deep/down");
    mkdirSync(sub, { recursive: true });
    const saved = await world.runWith(json, ["checkpoint", "save", "--json"], { env, cwd: sub });
    expect(JSON.parse(saved.stdout)).toMatchObject({
      goal: "g",
      source: "claude",
      session: "abc",
      where: { issue: "#7" },
    });
    expect(world.files.of(world.directory)).toMatchObject({ goal: "g", session: "abc" });
  });

  test("the command of the installed skill works in a shell, and saves more than the hooks", async () => {
    using world = new CheckpointWorld();
    await world.run("install");
    const skill = readFileSync(join(world.home, ".claude/skills/checkpoint/SKILL.md"), "utf8");
    const blocks = [...skill.matchAll(/```sh\n([^]*?)```/g)].map(([, text = ""]) => text);
    expect(blocks.length).toBeGreaterThan(1);
    await world.prompt("s", "Round the totals");
    const env = { ...world.env, PATH: `${world.bin}:/usr/bin:/bin`, CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s" };
    for (const block of blocks) {
      const { exitCode, stderr } = Bun.spawnSync(["sh", "-ec", block], { cwd: world.directory, env });
      expect([block, exitCode, stderr.toString()]).toEqual([block, 0, stderr.toString()]);
    }
    const kept = world.files.of(world.directory);
    expect(kept).toMatchObject({ source: "claude", session: "s" });
    for (const words of [kept.goal, kept.next, ...kept.done]) expect(skill).toContain(words ?? "nothing");
    expect(kept.done.length).toBeGreaterThan(0);
  });

  test.each([
    ["nothing", "", /nothing to save/],
    ["no JSON", "goal", /it is not JSON/],
    ["a list", "[]", /it is not an object/],
    ["an unknown key", '{"gaol":"x"}', /it has "gaol"; known are goal, done/],
    ["a wrong type", '{"done":[1]}', /"done" must be a list of texts/],
  ])("%s is refused with one sentence", async (_what, stdin, message) => {
    using world = new CheckpointWorld();
    const result = await world.runWith(stdin, ["checkpoint", "save"]);
    expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    expect(result.stderr).toMatch(message);
    expect(world.files.exists(world.directory)).toBe(false);
  });
});

describe("show, list, clear", () => {
  test("finds the same checkpoint from a subdirectory, and through a link", async () => {
    using world = new CheckpointWorld();
    Bun.spawnSync(["git", "init", "--quiet"], { cwd: world.directory });
    await world.run("checkpoint", "save", "--goal", "g");
    const sub = join(world.directory, "src");
    mkdirSync(sub);
    const link = join(world.home, "link");
    symlinkSync(world.directory, link);
    for (const cwd of [sub, link]) {
      const { stdout } = await world.runWith("", ["checkpoint", "show", "--json"], { cwd });
      expect(JSON.parse(stdout)).toMatchObject({ goal: "g", where: { directory: world.directory } });
    }
  });

  test("several directories: --global shows the newest; after clear, the next newest", async () => {
    using world = new CheckpointWorld();
    const other = join(world.home, "other");
    mkdirSync(other);
    await world.run("checkpoint", "save", "--goal", "first");
    await world.runWith("", ["checkpoint", "save", "--goal", "second"], { cwd: other });
    const goals = async (...words: string[]): Promise<string[]> =>
      (
        JSON.parse((await world.run("checkpoint", "list", "--json", ...words)).stdout) as {
          checkpoints: { goal: string }[];
        }
      ).checkpoints.map(({ goal }) => goal);
    expect(await goals()).toEqual(["second", "first"]);
    expect(JSON.parse((await world.run("checkpoint", "show", "--global", "--json")).stdout).goal).toBe("second");
    expect(await world.runWith("", ["checkpoint", "clear"], { cwd: other })).toMatchObject({ exitCode: 0 });
    expect(await goals()).toEqual(["first"]);
    expect(await goals("--past")).toEqual(["second", "first"]);
    expect(world.files.latest().goal).toBe("first");
    await world.run("checkpoint", "clear");
    expect(readdirSync(world.files.pastDirectory)).toHaveLength(2);
    for (const verb of ["show", "clear", "list"]) {
      expect([verb, (await world.run("checkpoint", verb)).exitCode]).toEqual([verb, 4]);
    }
    expect((await world.run("checkpoint", "show", "--global")).exitCode).toBe(4);
  });

  test("a new goal replaces the old one, which is kept completely", async () => {
    using world = new CheckpointWorld();
    await world.run("checkpoint", "save", "--goal", "Ship the cart", "--done", "totals rounded", "--next", "npm test");
    await world.run("checkpoint", "save", "--goal", "Fix the door");
    const { checkpoints } = JSON.parse((await world.run("checkpoint", "list", "--past", "--json")).stdout);
    expect(checkpoints).toMatchObject([
      { goal: "Fix the door", done: [], past: false },
      { goal: "Ship the cart", done: ["totals rounded"], next: "npm test", past: true },
    ]);
  });

  test("list prints a long goal whole into a pipe, on one line, with aligned columns", async () => {
    using world = new CheckpointWorld();
    const goal = "Ship the cart ".repeat(25).trimEnd();
    await world.run("checkpoint", "save", "--goal", goal, "--next", "run npm test");
    const lines = (await world.run("checkpoint", "list")).stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`${goal}  run npm test`);
    expect(lines[0]?.indexOf("next")).toBe(lines[1]?.indexOf("run npm test") ?? -1);
    expect(lines[1]).toContain("Ship the cart");
  });

  test("a very long path uses the directory that Claude chooses", async () => {
    // As measured with 2.1.197 and 2.1.326.
    const path = `/tmp/air-bnrnTm/${"abc/".repeat(70)}end`;
    expect(projectDirectoryName(path)).toEndWith("-abc-abc--vjjd3r");
    using world = new CheckpointWorld();
    const long = join(realpathSync(world.home), "x/".repeat(120));
    mkdirSync(long, { recursive: true });
    await world.runWith("", ["checkpoint", "save", "--goal", "deep"], { cwd: long });
    expect(JSON.parse((await world.runWith("", ["checkpoint", "show", "--json"], { cwd: long })).stdout).goal).toBe(
      "deep",
    );
  });

  test("every command has help with examples and exit codes", async () => {
    using world = new CheckpointWorld();
    for (const words of [
      ["checkpoint"],
      ["checkpoint", "save"],
      ["checkpoint", "show"],
      ["install"],
      ["statusline"],
      ["hook"],
    ]) {
      const { exitCode, stdout } = await world.run(...words, "--help");
      expect([words, exitCode]).toEqual([words, 0]);
      expect(stdout).toStartWith(`ai-runtime ${words.join(" ")} — `);
      expect(stdout).toContain("Examples:\n");
      expect(stdout).toContain("Exit codes:\n");
    }
    expect(await world.run("checkpoint", "sav")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("did you mean save?"),
    });
  });
});
