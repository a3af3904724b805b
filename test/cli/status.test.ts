import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { HookWorld } from "../support/hook-world.ts";

describe("a file that cannot be read is named, and the rest is told", () => {
  test("our config.json: the defaults hold", async () => {
    using world = new HookWorld();
    const path = join(world.files.root, "config.json");
    mkdirSync(path, { recursive: true });
    const { exitCode, stdout } = await world.run(["status", "--json"]);
    expect(exitCode).toBe(0);
    const { problems, settings } = JSON.parse(stdout);
    expect(problems[0]).toMatch(new RegExp(`^cannot read ${path}: .* \\(EISDIR\\); using the defaults$`));
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
      problems: [expect.stringMatching(new RegExp(`^cannot read ${path}: .* \\(EISDIR\\)$`))],
    });
    expect(await world.run(["test"])).toMatchObject({ exitCode: 1, stdout: expect.stringContaining(path) });
    expect(await world.run(["uninstall"])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`cannot read ${path}`),
    });
  });
});
