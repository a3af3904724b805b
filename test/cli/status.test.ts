import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HookWorld } from "../support/hook-world.ts";

setDefaultTimeout(60_000);

describe("a file that cannot be read is named, and the rest is told", () => {
  test("our config.json: the defaults hold", async () => {
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

test("a slip in a key of config.json is told", async () => {
  using world = new HookWorld();
  mkdirSync(world.files.root, { recursive: true });
  writeFileSync(join(world.files.root, "config.json"), '{ "maxdisk": 1000000000000 }');
  const said = "config.json: maxdisk is no setting; it is written maxDisk";
  expect((await world.run(["status"])).stdout).toContain(`! ${said}`);
});

test("a hostile name or message reaches the terminal as plain words, in status, list, clean and view", async () => {
  using world = new HookWorld();
  const hostile = "/tmp/\x1b[31mred\x1b]0;owned\x07\nsecond line\x9b2J";
  world.grow("some", 1_000);
  await world.hook("some", "Stop", { cwd: hostile });
  await world.hook("other", "Stop", { transcript_path: join(world.project, "other.jsonl") });
  mkdirSync(join(world.files.root, "logs"), { recursive: true });
  appendFileSync(join(world.files.root, "logs/snapshot.log"), `${new Date().toISOString()} bad\x1b[2J\x07 news\n`);
  const maintenance = { version: 1, lastRun: 0, over: 0, dropped: [], problems: ["a\x1b[5mblinking\nproblem"] };
  writeFileSync(join(world.files.root, "maintenance.json"), JSON.stringify(maintenance));
  for (const words of [["status"], ["list", "some"], ["clean", "--dry-run"], ["view", "some"], ["list", "\x1b[31mx"]]) {
    const { stdout, stderr } = await world.run(words);
    // oxlint-disable-next-line no-control-regex
    expect([words, /[\0-\x09\x0b-\x1f\x7f-\x9f]/.exec(stdout + stderr)]).toEqual([words, null]);
    expect(stdout).not.toMatch(/^second line/m);
  }
  expect((await world.run(["status"])).stdout).toContain("! ablinking problem\n");
});
