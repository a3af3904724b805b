// A run that waits for quota: it knows of the limit from an earlier run and sends no request before the reset.
import { expect, test } from "bun:test";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { skipPermissions } from "../../support/runs/cclaude.ts";
import { resetOf } from "../../support/runs/native-retry.ts";
import { runAiRuntime, untilRun } from "../../support/runs/runs.ts";
import { newestClaude } from "../../support/sandbox/claude-versions.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";

test("run --when-available starts within five seconds of the reset and does not knock before it", async () => {
  await using api = await fakeAnthropic(story().fails.limit({ resetsInSeconds: 6 }).says("All done."));
  await using sandbox = await installedSandbox(newestClaude);
  const limited = await runAiRuntime(sandbox, api, ["run", "First", "--no-wait", skipPermissions]);
  expect(limited.exitCode).toBe(75);
  const before = api.requests.length;
  const reset = resetOf(api);
  expect(Date.now()).toBeLessThan(reset);
  const queued = await runAiRuntime(sandbox, api, ["run", "Second", "--when-available", skipPermissions]);
  expect(queued).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("Queued; waits for quota → ") });
  const id = queued.stdout.trim();
  await untilRun(sandbox, ({ plan, status }) => plan.id === id && status.phase === "done");
  const later = api.requests.slice(before).map(({ time }) => time);
  expect(Math.min(...later)).toBeGreaterThanOrEqual(reset);
  expect(Math.min(...later) - reset).toBeLessThan(5_000);
  expect(api.unexpected).toBeEmpty();
});
