// `cclaude -p` with a client that waits for a limit, or for a failing API, inside its own process.
import { expect, test } from "bun:test";
import { restoredHeader, runCclaude, skipPermissions } from "../../support/runs/cclaude.ts";
import {
  afterReset,
  knowVersion,
  limitStory,
  nativeRetry,
  resetOf,
  stormStory,
} from "../../support/runs/native-retry.ts";
import { runRecords, stepsDone, untilRun } from "../../support/runs/runs.ts";
import { newestClaude } from "../../support/sandbox/claude-versions.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { outOfCredits } from "../../support/anthropic/refusals.ts";
import { story } from "../../support/anthropic/scenario.ts";

const task = ["-p", "Write two steps", skipPermissions] as const;

const waiting =
  /^cclaude: usage limit reached; waiting until \d\d:\d\d \(\d+s\), then resuming session [0-9a-f-]{36}\ncclaude: the usage limit has reset; resuming session [0-9a-f-]{36}\n$/;

test("cclaude -p shows the wait of its claude for a limit, and the same claude finishes after the reset", async () => {
  await using api = await fakeAnthropic(limitStory({ resetsInSeconds: 5 }));
  await using sandbox = await installedSandbox(newestClaude);
  knowVersion(sandbox, newestClaude);

  const run = await runCclaude(sandbox, api, task, { env: nativeRetry });

  expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n", stderr: expect.stringMatching(waiting) });
  expect(stepsDone(sandbox)).toEqual(["one", "two"]);
  expect(api.mainRequests.some(({ conversationText }) => conversationText.includes(restoredHeader))).toBeFalse();
  expect(afterReset(api)).toBeTrue();
  expect(api.unexpected).toBeEmpty();
});

test("Ctrl-C in the wait of its claude ends cclaude -p as stopped, and says how to resume", async () => {
  await using api = await fakeAnthropic(limitStory({ resetsInSeconds: 3_600 }));
  await using sandbox = await installedSandbox(newestClaude);
  knowVersion(sandbox, newestClaude);
  const cclaude = sandbox.spawn(["cclaude", ...task], { env: { ...sandbox.claudeEnv(api), ...nativeRetry } });
  const { status } = await untilRun(sandbox, (run) => run.status.phase === "waiting-limit");
  expect(status.until).toBe(resetOf(api));

  cclaude.signal("SIGINT");

  const { exitCode, stderr } = await cclaude.finished;
  expect(exitCode).toBe(130);
  expect(stderr).toMatch(/stopped waiting\. Resume with: cclaude --resume [0-9a-f-]{36} /);
  expect(stderr).not.toContain("has reset");
  expect(runRecords(sandbox)).toEqual([]);
});

test("the claude of cclaude -p retries until a series of 529 answers is over", async () => {
  await using api = await fakeAnthropic(stormStory());
  await using sandbox = await installedSandbox(newestClaude);
  knowVersion(sandbox, newestClaude);

  const run = await runCclaude(sandbox, api, task, { env: nativeRetry });

  expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n", stderr: "" });
  expect(stepsDone(sandbox)).toEqual(["one", "two"]);
});

test("cclaude -p waits itself with a claude that would wait without a word", async () => {
  await using api = await fakeAnthropic(limitStory({ resetsInSeconds: 2 }));
  await using sandbox = await installedSandbox("2.1.197");
  knowVersion(sandbox, "2.1.197");

  const run = await runCclaude(sandbox, api, task, { env: nativeRetry });

  expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
  expect(run.stderr).toContain("usage limit reached; waiting until");
  expect(api.mainRequests.at(-1)?.conversationText).toContain(restoredHeader);
});

test("cclaude -p without usage credits exits with code 75 instead of retrying without end", async () => {
  await using api = await fakeAnthropic(story().answers(outOfCredits, { times: Infinity }));
  await using sandbox = await installedSandbox(newestClaude);
  knowVersion(sandbox, newestClaude);

  const run = await runCclaude(sandbox, api, task, { env: nativeRetry });

  expect(run).toMatchObject({ exitCode: 75, signal: null });
  expect(run.stderr).toContain("spend limit reached");
});

test("cclaude -p with CCLAUDE_NO_WAIT exits with code 75 at the limit", async () => {
  await using api = await fakeAnthropic(limitStory({ resetsInSeconds: 3_600 }));
  await using sandbox = await installedSandbox(newestClaude);

  const run = await runCclaude(sandbox, api, task, { env: { ...nativeRetry, CCLAUDE_NO_WAIT: "1" } });

  expect(run).toMatchObject({ exitCode: 75, signal: null });
});
