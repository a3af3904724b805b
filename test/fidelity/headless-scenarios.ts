// The scenarios of the recovery board without a terminal: runs and `cclaude -p`.
import { expect } from "bun:test";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { RunRecord } from "../../src/core/run/run-record.ts";
import { fakeAnthropic } from "../support/anthropic/fake-anthropic.ts";
import { failure, type Reply, says } from "../support/anthropic/replies.ts";
import { story } from "../support/anthropic/scenario.ts";
import { restoredHeader, runCclaude, skipPermissions } from "../support/runs/cclaude.ts";
import { afterReset, limitStory, nativeRetry } from "../support/runs/native-retry.ts";
import { journalOf, onlyRun, runAiRuntime, startAiRuntime, step, stepsDone, untilRun } from "../support/runs/runs.ts";
import { installedSandbox } from "../support/sandbox/installed-sandbox.ts";
import { goOn, waitForFile } from "../support/terminal/host-world.ts";
import { untilFile } from "../support/until-file.ts";

const task = ["run", "Write two steps", skipPermissions] as const;

async function playLimit(version: string, window: "five_hour" | "seven_day"): Promise<void> {
  await using api = await fakeAnthropic(limitStory({ resetsInSeconds: 3, window }));
  await using sandbox = await installedSandbox(version);

  const run = await runAiRuntime(sandbox, api, task);

  expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
  expect(run.stderr).toMatch(/! usage limit reached; waiting until /);
  expect(stepsDone(sandbox)).toEqual(["one", "two"]);
  expect(afterReset(api)).toBeTrue();
  expect(api.mainRequests.at(-2)?.lastText).toContain(restoredHeader);
  expect(api.mainRequests.at(-1)?.conversationText).toContain("Write two steps");
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "done", attempts: 2 });
  expect(api.unexpected).toBeEmpty();
}

async function playOwnWait(version: string): Promise<void> {
  await using api = await fakeAnthropic(limitStory({ resetsInSeconds: 3 }));
  await using sandbox = await installedSandbox(version);

  const run = await runAiRuntime(sandbox, api, task, { env: nativeRetry });

  expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
  expect(run.stderr).toMatch(/! usage limit reached; waiting until /);
  expect(stepsDone(sandbox)).toEqual(["one", "two"]);
  expect(afterReset(api)).toBeTrue();
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "done", attempts: 1 });
}

async function playCrash(version: string): Promise<void> {
  const endless = { command: "touch held; python3 -c 'import time; time.sleep(600)'" };
  await using sandbox = await installedSandbox(version);
  await using api = await fakeAnthropic(
    story().callsTool("Bash", step("one")).callsTool("Bash", endless).callsTool("Bash", step("two")).says("All done."),
  );
  const run = startAiRuntime(sandbox, api, task);
  await untilFile(join(sandbox.projectDir, "held"), () => true);
  const { child } = (await untilRun(sandbox, ({ status }) => status.phase === "working")).status;
  process.kill(child?.pid ?? 0, "SIGKILL");

  expect(await run.finished).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
  expect(stepsDone(sandbox)).toEqual(["one", "two"]);
  expect(api.mainRequests.at(-2)?.lastText).toContain(restoredHeader);
  expect(api.mainRequests.at(-1)?.conversationText).toContain("Write two steps");
}

async function playOverload(version: string): Promise<void> {
  const refusal = failure.promptTooLong({ tokens: 45_000, maximum: 10_000 });
  const acceptsRestored: Reply = ({ conversationText }) =>
    conversationText.includes(restoredHeader) ? says("Went on.") : refusal;
  await using api = await fakeAnthropic();
  await using sandbox = await installedSandbox(version);
  const sessionId = randomUUID();
  const turns = [
    { choice: "--session-id", word: "alpha", bytes: 10, input: 100 },
    { choice: "--resume", word: "gamma", bytes: 28_000, input: 40_000 },
  ];
  for (const { choice, word, bytes, input } of turns) {
    const command = `printf '${word}%0${bytes}d' 1`;
    const usage = { input };
    api.plays(story().callsTool("Bash", { command }, { usage }).says(`Said ${word}.`, { usage }));
    const turn = await runCclaude(sandbox, api, ["-p", `Print ${word}`, skipPermissions, choice, sessionId]);
    expect(turn).toMatchObject({ exitCode: 0, stdout: `Said ${word}.\n` });
  }

  api.plays(story().answers(acceptsRestored, { times: Infinity }).whenCompacting(refusal));
  const run = await runCclaude(sandbox, api, ["-p", "Finish it", skipPermissions, "--resume", sessionId]);

  expect(run).toMatchObject({ exitCode: 0, stdout: "Went on.\n" });
  expect(run.stderr).toContain("the conversation outgrew its context; restored it to ");
  const resumed = api.mainRequests.at(-1)?.conversationText;
  for (const words of ["Said alpha.", "> Finish it", "> Said gamma."]) expect(resumed).toContain(words);
  expect(resumed).not.toContain("0".repeat(1_000));
}

/** Some clients wait for the command and answer its end; others stop it and end, and the run resumes them. */
async function playBackground(version: string): Promise<void> {
  await using sandbox = await installedSandbox(version);
  await using api = await fakeAnthropic(
    story()
      .callsTool("Bash", { ...waitForFile, run_in_background: true })
      .says("I wait for it.")
      .says("All done."),
  );
  const run = startAiRuntime(sandbox, api, ["run", "Wait for it", skipPermissions]);
  const hasAnswered = (record: RunRecord): boolean => journalOf(record).some(({ kind }) => kind === "result");
  await untilRun(sandbox, hasAnswered);
  await goOn(sandbox);

  expect(await run.finished).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
  expect(onlyRun(sandbox).status.phase).toBe("done");
}

async function playResume(version: string): Promise<void> {
  await using api = await fakeAnthropic(
    story()
      .callsTool("Bash", step("one"))
      .fails.limit({ resetsInSeconds: 3_600 })
      .callsTool("Bash", step("two"))
      .says("All done."),
  );
  await using sandbox = await installedSandbox(version);
  expect(await runAiRuntime(sandbox, api, [...task, "--no-wait"])).toMatchObject({ exitCode: 75, stdout: "" });

  const resumed = await runAiRuntime(sandbox, api, ["resume"], { cwd: sandbox.home });

  expect(resumed).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
  expect(stepsDone(sandbox)).toEqual(["one", "two"]);
  expect(api.mainRequests.at(-1)?.conversationText).toMatch(/Write two steps[^]*^one$/m);
  expect(new Set(api.mainRequests.map(({ sessionId }) => sessionId)).size).toBe(1);
}

export const playHeadless = {
  limit: (version: string) => playLimit(version, "five_hour"),
  weekly: (version: string) => playLimit(version, "seven_day"),
  "own wait": playOwnWait,
  crash: playCrash,
  overload: playOverload,
  background: playBackground,
  resume: playResume,
} as const;
