import { expect, test } from "bun:test";
import { join } from "node:path";
import { finishingClaude } from "../../../support/notify/finishing-claude.ts";
import { run, sandboxWithClaude } from "../../../support/runs/scripted-claude.ts";
import { CheckpointWorld } from "../../../support/worlds/checkpoint-world.ts";

const statusLine = (world: CheckpointWorld, five: number): string => {
  const resets = Math.round(Date.now() / 1_000) + 7_200;
  const windows = {
    five_hour: { used_percentage: five, resets_at: resets },
    seven_day: { used_percentage: 40, resets_at: resets },
  };
  return JSON.stringify({
    session_id: "s",
    transcript_path: join(world.projectDirectory(), "s.jsonl"),
    cwd: world.directory,
    rate_limits: windows,
  });
};

test("usage shows what Claude reported, as a table with a chart and as JSON", async () => {
  using world = new CheckpointWorld();
  expect((await world.run("usage")).stdout).toBe("Claude has not reported any usage yet.\n");
  await world.runWith(statusLine(world, 50), ["statusline"]);
  await world.runWith(statusLine(world, 75.5), ["statusline"]);
  const { stdout } = await world.run("usage");
  expect(stdout).toMatch(/^window +used +.*resets/);
  expect(stdout).toMatch(/^5-hour +75% .*\((1h 59m|2h)\).*[▁▂▃▄▅▆▇█]/m);
  expect(stdout).toMatch(/^7-day +40% /m);
  const json = JSON.parse((await world.run("usage", "--json")).stdout) as { windows: object[]; costs: object };
  expect(json.windows[0]).toMatchObject({ window: "five_hour", percent: 75.5, percentPerHour: null, fullAt: null });
  expect(json.costs).toEqual({ days: [], projects: [] });
});

test("a run's end, status and usage show costs per run, day and project", async () => {
  await using sandbox = await sandboxWithClaude(finishingClaude);
  expect((await run(sandbox, ["run", "One"])).stderr).toMatch(/✔ done · .*\$0\.50\n$/);
  expect((await run(sandbox, ["run", "Two"])).stderr).toMatch(/\$0\.50 · \$1\.00 today · \$1\.00 here in 7 days\n$/);
  const status = await run(sandbox, ["status"]);
  expect(status.stdout).toContain("cost: $1.00 today, $1.00 here in 7 days; more: ai-runtime usage");
  const { costs } = JSON.parse((await run(sandbox, ["status", "--json"])).stdout) as { costs: { projects: object[] } };
  expect(costs.projects).toEqual([{ project: sandbox.projectDir, usd: 1 }]);
  expect((await run(sandbox, ["usage"])).stdout).toMatch(
    /cost of runs, last 7 days\n\d{4}-\d\d-\d\d +\$1\.00\n +\$1\.00 /,
  );
  const event = (await run(sandbox, ["run", "Three", "--json"])).stdout.trim().split("\n").at(-1) ?? "";
  expect(JSON.parse(event)).toMatchObject({ costUsd: 0.5, costTodayUsd: 1.5, costProjectUsd: 1.5 });
});
