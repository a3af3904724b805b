import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { projectDirectoryName } from "../../src/claude/paths.ts";
import { CheckpointWorld } from "../support/checkpoint-world.ts";

setDefaultTimeout(60_000);

describe("checkpoint save", () => {
  test("writes the words to both places, and the Markdown for people", async () => {
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

  test("takes JSON on stdin; by Claude's own shell it is Claude's, for the session that calls", async () => {
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

  test("what the installed skill tells Claude to run is run by its shell, and is richer than what hooks see", async () => {
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
  test("from below the top of a repository, and through a link to it, it is the same checkpoint", async () => {
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

  test("several directories: global is the newest; cleared ones are past, and the next newest leads", async () => {
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

  test("a new goal takes the place of the old one, which is kept with all its words", async () => {
    using world = new CheckpointWorld();
    await world.run("checkpoint", "save", "--goal", "Ship the cart", "--done", "totals rounded", "--next", "npm test");
    await world.run("checkpoint", "save", "--goal", "Mend the door");
    const { checkpoints } = JSON.parse((await world.run("checkpoint", "list", "--past", "--json")).stdout);
    expect(checkpoints).toMatchObject([
      { goal: "Mend the door", done: [], past: false },
      { goal: "Ship the cart", done: ["totals rounded"], next: "npm test", past: true },
    ]);
  });

  test("a long goal leaves the list in line", async () => {
    using world = new CheckpointWorld();
    await world.run("checkpoint", "save", "--goal", "Ship the cart ".repeat(30), "--next", "run npm test");
    const lines = (await world.run("checkpoint", "list")).stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    expect(lines[1]).toContain("Ship the cart");
  });

  test("a very long path has the directory that Claude gives it", async () => {
    // As measured with 2.1.197 and 2.1.325.
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
