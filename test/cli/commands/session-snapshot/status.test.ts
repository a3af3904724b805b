import { describe, expect, test } from "bun:test";
import { appendFileSync, linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executable } from "../../../support/executable.ts";
import { HookWorld } from "../../../support/worlds/hook-world.ts";

/** Two marks of 1 and 2 kB; the last request used half of the context window. */
async function twoMarks(world: HookWorld): Promise<void> {
  world.grow("some", 1_000, "began");
  await world.hook("some", "PreCompact", { cwd: "/projects/shop" });
  const usage = { input_tokens: 100_000 };
  const content = [{ type: "tool_use", id: "t", name: "Bash", input: { command: "npm test" } }];
  appendFileSync(world.transcript("some"), `${JSON.stringify({ type: "assistant", message: { usage, content } })}\n`);
  await world.hook("some", "Stop");
}

test("status shows hooks, claude and its version, the shim, disk use, and one row per snapshot", async () => {
  using world = new HookWorld();
  const bin = join(world.home, "bin");
  mkdirSync(bin);
  linkSync(executable, join(bin, "session-snapshot"));
  linkSync(executable, join(bin, "cclaude"));
  writeFileSync(join(bin, "claude"), '#!/bin/sh\necho "2.1.326 (Claude Code)"\n', { mode: 0o755 });
  const lines = async (): Promise<string[]> => (await world.run(["status"])).stdout.split("\n");
  expect((await lines()).slice(0, 3)).toEqual([
    `! hooks    not installed in ${world.home}/.claude/settings.json; run: session-snapshot install`,
    "! claude   not found on PATH",
    "! cclaude  not on PATH",
  ]);
  world.env["PATH"] = `${bin}:/usr/bin:/bin`;
  Bun.spawnSync([join(bin, "session-snapshot"), "install"], { env: world.env });
  await twoMarks(world);

  const [hooks, claude, shim, disk, , head, row] = await lines();

  expect(hooks).toMatch(/^✔ hooks {4}active in .*\/\.claude\/settings\.json .*PostToolUse/);
  expect(claude).toBe(`✔ claude   ${bin}/claude 2.1.326`);
  expect(shim).toBe(`✔ cclaude  ${bin}/cclaude`);
  expect(disk).toMatch(/^✔ disk {5}\d+\.\d kB of 5\.0 GB$/);
  expect(head).toMatch(/^session +project +size +marks +age +context$/);
  expect(row).toMatch(/^some +\/projects\/shop +1\.\d kB +2 +\d+s +50%$/);
  const { sessions, ...rest } = JSON.parse((await world.run(["status", "--json"])).stdout);
  expect(rest).toMatchObject({
    hooks: { mode: "settings", active: true },
    claude: { configDirectory: join(world.home, ".claude"), path: join(bin, "claude"), version: "2.1.326" },
    shimOnPath: join(bin, "cclaude"),
    disk: { max: 5_000_000_000 },
    problems: [],
  });
  expect(sessions).toMatchObject([{ session: "some", project: "/projects/shop", marks: 2, contextPercent: 50 }]);
});

test("list is a timeline: each mark with time, reason, size, context and last step", async () => {
  using world = new HookWorld();
  await twoMarks(world);
  const { exitCode, stdout } = await world.run(["list", "some"]);
  expect(exitCode).toBe(0);
  const [where, head, first, second] = stdout.split("\n");
  expect(where).toBe(`some  ${world.transcript("some")}`);
  expect(head).toMatch(/^mark +time +reason +size +context +last step$/);
  expect(first).toMatch(/^ +1 +\d\d:\d\d:\d\d +PreCompact +1\.\d kB +█░{9} +\d+ +began 1 x+…?$/);
  expect(second).toMatch(/^ +2 +\d\d:\d\d:\d\d +Stop +1\.\d kB +█{5}░{5} +100k +Bash.*npm test$/);
  expect(JSON.parse((await world.run(["list", "some", "--json"])).stdout).marks).toMatchObject([
    { n: 1, reason: "PreCompact", generation: 1 },
    { n: 2, reason: "Stop", contextTokens: 100_000, lastStep: expect.stringContaining("npm test") },
  ]);
});

test("shows local times, and UTC in JSON", async () => {
  using world = new HookWorld();
  world.env["TZ"] = "Etc/GMT-14";
  world.grow("some", 2_000);
  await world.hook("some");
  world.overwrite("some", '{"type":"summary"}\n');
  await world.hook("some");
  await world.hook("../x");
  const { problems, sessions } = JSON.parse((await world.run(["status", "--json"])).stdout);
  const written = [...problems, ...sessions[0].warnings].map((text: string) => /\d{4}-\d\d-\d\dT\S+Z/.exec(text)?.[0]);
  expect(written).toHaveLength(2);
  const { stdout } = await world.run(["status"]);
  for (const time of written) {
    const local = new Date(Date.parse(time ?? "") + 14 * 3_600_000).toISOString().slice(11, 19);
    expect(stdout).toContain(` ${local}`);
    expect(stdout).not.toContain(time ?? "no time");
  }
});

describe("names an unreadable file and shows the rest", () => {
  test("our config.json: uses the defaults", async () => {
    using world = new HookWorld();
    const path = join(world.files.root, "config.json");
    mkdirSync(path, { recursive: true });
    const { exitCode, stdout } = await world.run(["status", "--json"]);
    expect(exitCode).toBe(0);
    const { problems, settings } = JSON.parse(stdout);
    expect(problems[0]).toMatch(new RegExp(`^cannot read ${path}: .* is not a regular file; using the defaults$`));
    expect(settings.minSize).toBe(200_000);
    expect((await world.run(["status"])).stdout).toContain(`! cannot read ${path}`);
  });

  test("Claude's settings.json", async () => {
    using world = new HookWorld();
    const path = join(world.home, ".claude/settings.json");
    mkdirSync(path);
    const { exitCode, stdout } = await world.run(["status", "--json"]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      hooks: { mode: "none", events: [] },
      problems: [expect.stringMatching(new RegExp(`^cannot read ${path}: .* is not a regular file$`))],
    });
    expect(await world.run(["test"])).toMatchObject({ exitCode: 1, stdout: expect.stringContaining(path) });
    expect(await world.run(["uninstall"])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`cannot read ${path}`),
    });
  });
});

test("reports a misspelled key of config.json", async () => {
  using world = new HookWorld();
  mkdirSync(world.files.root, { recursive: true });
  writeFileSync(join(world.files.root, "config.json"), '{ "maxdisk": 1000000000000 }');
  const problem = 'unknown setting "maxdisk" in config.json (did you mean maxDisk?)';
  expect((await world.run(["status"])).stdout).toContain(`! ${problem}`);
});

test("shows hostile names and messages without escape codes in status, list, clean and view", async () => {
  using world = new HookWorld();
  const hostile = "/tmp/\x1b[31mred\x1b]0;owned\x07\nsecond line\x9b2J";
  world.grow("some", 1_000);
  await world.hook("some", "Stop", { cwd: hostile });
  await world.hook("other", "Stop", { transcript_path: join(world.project, "other.jsonl") });
  mkdirSync(join(world.files.root, "logs"), { recursive: true });
  appendFileSync(join(world.files.root, "logs/snapshot.log"), `${new Date().toISOString()} bad\x1b[2J\x07 news\n`);
  const maintenance = { version: 1, lastRun: 0, over: 0, dropped: [], problems: ["a\x1b[5mblinking\nproblem"] };
  writeFileSync(join(world.files.root, "maintenance.json"), JSON.stringify(maintenance));
  for (const words of [
    ["status"],
    ["list", "some"],
    ["clean", "--all", "--dry-run"],
    ["view", "some"],
    ["list", "\x1b[31mx"],
  ]) {
    const { stdout, stderr } = await world.run(words);
    // oxlint-disable-next-line no-control-regex
    expect([words, /[\0-\x09\x0b-\x1f\x7f-\x9f]/.exec(stdout + stderr)]).toEqual([words, null]);
    expect(stdout).not.toMatch(/^second line/m);
  }
  expect((await world.run(["status"])).stdout).toContain("! ablinking problem\n");
});
