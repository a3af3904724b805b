// `ai-runtime run` with a client that waits for a limit, or for a failing API, inside its own process.
import { expect, test } from "bun:test";
import { skipPermissions } from "../../support/runs/cclaude.ts";
import {
  journalOf,
  onlyRun,
  runAiRuntime,
  startAiRuntime,
  step,
  stepsDone,
  untilRun,
} from "../../support/runs/runs.ts";
import {
  afterReset,
  forEachRetryingClaude,
  isLeftOut,
  limitStory,
  nativeRetry,
  stormStory,
} from "../../support/runs/native-retry.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { newestClaude } from "../../support/sandbox/claude-versions.ts";
import { outOfCredits } from "../../support/anthropic/refusals.ts";
import { story } from "../../support/anthropic/scenario.ts";

const task = ["run", "Write two steps", skipPermissions] as const;
const waits = /! usage limit reached; waiting until \d\d:\d\d \(\d+s\), then resuming the task\n/;

forEachRetryingClaude((version) => {
  test("a run shows the wait of its claude for a limit, and the same claude finishes after the reset", async () => {
    await using api = await fakeAnthropic(limitStory({ resetsInSeconds: 3 }));
    await using sandbox = await installedSandbox(version);

    const run = startAiRuntime(sandbox, api, task, { env: nativeRetry });
    const waiting = await untilRun(sandbox, ({ status }) => status.phase === "waiting-limit");
    const { exitCode, stdout, stderr } = await run.finished;

    expect(waiting.status).toMatchObject({ cause: "limit", claudeWaits: true });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "All done.\n" });
    expect(stderr).toMatch(waits);
    expect(stepsDone(sandbox)).toEqual(["one", "two"]);
    expect(onlyRun(sandbox).status).toMatchObject({ phase: "done", attempts: 1, claudeWaits: false });
    expect(afterReset(api)).toBeTrue();
    expect(api.unexpected).toBeEmpty();
  });

  test.skipIf(isLeftOut(version, "2.1.197"))(
    "the claude of a run retries until a series of 529 answers is over",
    async () => {
      await using api = await fakeAnthropic(stormStory());
      await using sandbox = await installedSandbox(version);

      const run = await runAiRuntime(sandbox, api, task, { env: nativeRetry });

      expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
      expect(run.stderr).toMatch(/! the API failed; resuming the task in/);
      expect(stepsDone(sandbox)).toEqual(["one", "two"]);
      const record = onlyRun(sandbox);
      expect(record.status).toMatchObject({ phase: "done", attempts: 1, failingSince: null });
      expect(journalOf(record).filter(({ phase }) => phase === "backing-off")).not.toBeEmpty();
    },
  );

  test.skipIf(isLeftOut(version, "2.1.197"))(
    "a run whose claude waits longer than --max-wait ends it and exits with code 75, and resume finishes it",
    async () => {
      await using api = await fakeAnthropic(limitStory({ resetsInSeconds: 3_600 }));
      await using sandbox = await installedSandbox(version);

      const run = await runAiRuntime(sandbox, api, [...task, "--max-wait", "10s"], { env: nativeRetry });

      expect(run).toMatchObject({ exitCode: 75, stdout: "" });
      expect(onlyRun(sandbox).status).toMatchObject({ phase: "paused", cause: "limit", claudeWaits: false });
      expect(run.stderr).toContain("Resume with: ai-runtime resume");
      expect(await runAiRuntime(sandbox, api, ["resume"], { env: nativeRetry })).toMatchObject({
        exitCode: 0,
        stdout: "All done.\n",
      });
      expect(stepsDone(sandbox)).toEqual(["one", "two"]);
    },
  );
});

test("a run without usage credits stops with exit code 75 instead of retrying without end", async () => {
  await using api = await fakeAnthropic(story().answers(outOfCredits, { times: Infinity }));
  await using sandbox = await installedSandbox("2.1.197");

  const run = await runAiRuntime(sandbox, api, ["run", "Do it"], { env: nativeRetry });

  expect(run).toMatchObject({ exitCode: 75, stdout: "" });
  expect(run.stderr).toContain("spend limit reached, no reset time given");
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "paused", cause: "limit", attempts: 2 });
});

test("a run with --no-wait exits with code 75 at the limit", async () => {
  await using api = await fakeAnthropic(limitStory({ resetsInSeconds: 3_600 }));
  await using sandbox = await installedSandbox(newestClaude);

  const run = await runAiRuntime(sandbox, api, [...task, "--no-wait"], { env: nativeRetry });

  expect(run).toMatchObject({ exitCode: 75, stdout: "" });
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "paused", cause: "limit" });
});

test("a run waits without a claude for a weekly limit, and Ctrl-C pauses it", async () => {
  const weekly = { resetsInSeconds: 3 * 24 * 3_600, window: "seven_day" } as const;
  await using api = await fakeAnthropic(limitStory(weekly));
  await using sandbox = await installedSandbox(newestClaude);

  const run = startAiRuntime(sandbox, api, task, { env: nativeRetry });
  const { status } = await untilRun(sandbox, (record) => record.status.phase === "waiting-limit");
  run.signal("SIGINT");

  expect(status.claudeWaits).toBeFalse();
  expect(await run.finished).toMatchObject({ exitCode: 130 });
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "paused", cause: "interrupted" });
});

test("a run whose supervisor and claude were killed in the wait recovers, with each step done once", async () => {
  await using api = await fakeAnthropic(limitStory({ resetsInSeconds: 3 }));
  await using sandbox = await installedSandbox(newestClaude);

  const run = startAiRuntime(sandbox, api, task, { env: nativeRetry });
  const { status } = await untilRun(sandbox, (record) => record.status.phase === "waiting-limit");
  process.kill(status.child?.pid ?? 0, "SIGKILL");
  run.signalGroup("SIGKILL");
  await run.exited;
  const resumed = await runAiRuntime(sandbox, api, ["resume"], { env: nativeRetry });

  expect(resumed).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
  expect(stepsDone(sandbox)).toEqual(["one", "two"]);
  expect(afterReset(api)).toBeTrue();
});

test("a claude that dies in its wait is started again only after the reset", async () => {
  await using api = await fakeAnthropic(limitStory({ resetsInSeconds: 3 }));
  await using sandbox = await installedSandbox(newestClaude);

  const run = startAiRuntime(sandbox, api, task, { env: nativeRetry });
  const { status } = await untilRun(sandbox, (record) => record.status.phase === "waiting-limit");
  process.kill(status.child?.pid ?? 0, "SIGKILL");

  expect(await run.finished).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
  expect(stepsDone(sandbox)).toEqual(["one", "two"]);
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "done", attempts: 2 });
  expect(afterReset(api)).toBeTrue();
});

test.each([
  ["in the environment", { CLAUDE_CODE_RETRY_WATCHDOG: "0" }, undefined],
  ["in the settings of claude", {}, { env: { CLAUDE_CODE_RETRY_WATCHDOG: "0" } }],
] as const)("the user's own value %s wins", async (_, env, settings) => {
  await using api = await fakeAnthropic(
    story().callsTool("Bash", step("one")).fails.limit({ resetsInSeconds: 2 }).says("All done."),
  );
  await using sandbox = await installedSandbox(newestClaude);
  if (settings) await Bun.write(`${sandbox.configDir}/settings.json`, JSON.stringify(settings));

  const run = await runAiRuntime(sandbox, api, task, { env: { ...nativeRetry, ...env } });

  expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "done", attempts: 2 });
});
