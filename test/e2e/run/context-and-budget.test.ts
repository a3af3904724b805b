// Runs whose conversation outgrows the context window, whose limit has no reset time, or whose budget is used up.
import { expect, test } from "bun:test";
import { restoredHeader, skipPermissions } from "../../support/runs/cclaude.ts";
import { forEachClaude, newestClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { failure, says } from "../../support/anthropic/replies.ts";
import { runAiRuntime, journalOf, onlyRun, step, stepsDone } from "../../support/runs/runs.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { story } from "../../support/anthropic/scenario.ts";

const refusal = failure.promptTooLong({ tokens: 45_000, maximum: 10_000 });
const printCommand = (word: string, bytes: number) => ({ command: `printf '${word}%0${bytes}d' 1` });
/** Saves a mark at every tool call. */
const markEveryCall = { SESSION_SNAPSHOT_MIN_SIZE: "1", SESSION_SNAPSHOT_INTERVAL: "1" };

forEachClaude((version) => {
  test("a run whose conversation is too long restores a point that fits, tells Claude what came after it, and finishes", async () => {
    await using sandbox = await installedSandbox(version);
    await using api = await fakeAnthropic(
      story()
        .callsTool("Bash", printCommand("alpha", 10), { usage: { input: 100 } })
        .fails.limit({ resetsInSeconds: 3_600 }),
    );
    // The pause at a limit leaves a small mark.
    await runAiRuntime(sandbox, api, ["run", "Begin", skipPermissions, "--no-wait"], { env: markEveryCall });
    api.plays(
      story()
        .callsTool("Bash", printCommand("gamma", 28_000), { usage: { input: 40_000 } })
        .answers(
          ({ conversationText }) => (conversationText.includes("no longer fitted") ? says("All done.") : refusal),
          { times: Infinity },
        )
        .whenCompacting(refusal),
    );

    const run = await runAiRuntime(sandbox, api, ["resume"], { env: markEveryCall });

    expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(run.stderr).toMatch(
      /✔ the conversation outgrew its context; restored it to (mark \d+|a point in turn 1) of /,
    );
    const restored = api.mainRequests.at(-1);
    expect(restored?.lastText).toContain(restoredHeader);
    expect(restored?.lastText).toContain("The task of this run is:\n> Begin");
    expect(restored?.lastText).toContain("printf 'gamma%028000d' 1 (succeeded)");
  });
});

forEachClaude((version) => {
  test("a run waits the configured time at a limit without a reset time", async () => {
    await using sandbox = await installedSandbox(version);
    const limitWithoutResetTime = () => ({
      kind: "failure" as const,
      status: 429,
      type: "rate_limit_error",
      message: "This request would exceed your account's rate limit.",
      headers: {
        "anthropic-ratelimit-unified-status": "rejected",
        "anthropic-ratelimit-unified-representative-claim": "five_hour",
      },
    });
    await using api = await fakeAnthropic(
      story().callsTool("Bash", step("one")).answers(limitWithoutResetTime).says("All done."),
    );

    const run = await runAiRuntime(sandbox, api, ["run", "Write a step", skipPermissions], {
      env: { AI_RUNTIME_WAIT_SECONDS: "1" },
    });

    expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(run.stderr).toContain("! usage limit reached, no reset time given; waiting until ");
    expect(stepsDone(sandbox)).toEqual(["one"]);
  });
});

test("a run retries an API key's rate limit soon, not after an hour", async () => {
  await using sandbox = await installedSandbox(newestClaude);
  await using api = await fakeAnthropic(
    story().callsTool("Bash", step("one")).fails.apiKeyLimit({ times: 2 }).says("All done."),
  );

  const run = await runAiRuntime(sandbox, api, ["run", "Write a step", skipPermissions], { as: "api-key" });

  expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "done" });
});

forEachClaude((version) => {
  test("the budget covers all attempts of a run together", async () => {
    await using sandbox = await installedSandbox(version);
    await using api = await fakeAnthropic(
      story()
        .callsTool("Bash", step("one"))
        .fails.overloaded({ times: 2 })
        .callsTool("Bash", step("more"), { times: Infinity }),
    );

    const run = await runAiRuntime(sandbox, api, ["run", "Write", skipPermissions, "--max-budget-usd", "0.004"]);

    expect(run).toMatchObject({ exitCode: 1, stdout: "" });
    expect(run.stderr).toContain("✘ the budget of --max-budget-usd is used up.");
    const { status } = onlyRun(sandbox);
    expect(status).toMatchObject({ phase: "failed", cause: "budget" });
    // Claude stops after the answer that exceeds the budget, whatever the number of attempts.
    const costs = journalOf(onlyRun(sandbox)).flatMap(({ costUsd }) => (typeof costUsd === "number" ? [costUsd] : []));
    expect(costs.length).toBeGreaterThan(1);
    expect(status.costUsd).toBeCloseTo(
      costs.reduce((sum, each) => sum + each, 0),
      9,
    );
    expect(status.costUsd).toBeLessThan(0.006);
    // Without budget left, resume sends no request.
    const asked = api.mainRequests.length;
    expect(await runAiRuntime(sandbox, api, ["resume"])).toMatchObject({ exitCode: 1 });
    expect(api.mainRequests).toHaveLength(asked);
  });
});
