// A run whose conversation outgrows its context, whose limit says no time, or whose money runs out.
import { expect, test } from "bun:test";
import { restoredMark, skipPermissions } from "../support/cclaude.ts";
import { forEachClaude, newestClaude } from "../support/claude-versions.ts";
import { fakeAnthropic } from "../support/fake-anthropic.ts";
import { failure, says } from "../support/replies.ts";
import { airuntime, journalOf, onlyRun, runSandbox, step, stepsDone } from "../support/runs.ts";
import { story } from "../support/scenario.ts";

const refusal = failure.promptTooLong({ tokens: 45_000, maximum: 10_000 });
const print = (word: string, bytes: number) => ({ command: `printf '${word}%0${bytes}d' 1` });
/** Every tool call is a mark. */
const eagerly = { SESSION_SNAPSHOT_MIN_SIZE: "1", SESSION_SNAPSHOT_INTERVAL: "1" };

forEachClaude((version) => {
  test("a conversation that outgrew its context goes back to a mark that fits, knows what came after, and ends well", async () => {
    await using sandbox = await runSandbox(version);
    await using api = await fakeAnthropic(
      story()
        .callsTool("Bash", print("alpha", 10), { usage: { input: 100 } })
        .fails.limit({ resetsInSeconds: 3_600 }),
    );
    // It is left at a limit, for a mark that is small.
    await airuntime(sandbox, api, ["run", "Begin", skipPermissions, "--no-wait"], { env: eagerly });
    api.plays(
      story()
        .callsTool("Bash", print("gamma", 28_000), { usage: { input: 40_000 } })
        .answers(
          ({ conversationText }) => (conversationText.includes("no longer fitted") ? says("All done.") : refusal),
          { times: Infinity },
        )
        .whenCompacting(refusal),
    );

    const run = await airuntime(sandbox, api, ["resume"], { env: eagerly });

    expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(run.stderr).toMatch(/✔ the conversation outgrew its context; went back to mark \d+ of /);
    const restored = api.mainRequests.at(-1);
    expect(restored?.lastText).toContain(restoredMark);
    expect(restored?.lastText).toContain("The task of this run is:\n> Begin");
    expect(restored?.lastText).toContain("printf 'gamma%028000d' 1 (succeeded)");
  });
});

forEachClaude((version) => {
  test("a limit that says no time is waited for as long as is set", async () => {
    await using sandbox = await runSandbox(version);
    const silent = () => ({
      kind: "failure" as const,
      status: 429,
      type: "rate_limit_error",
      message: "This request would exceed your account's rate limit.",
      headers: {
        "anthropic-ratelimit-unified-status": "rejected",
        "anthropic-ratelimit-unified-representative-claim": "five_hour",
      },
    });
    await using api = await fakeAnthropic(story().callsTool("Bash", step("one")).answers(silent).says("All done."));

    const run = await airuntime(sandbox, api, ["run", "Write a step", skipPermissions], {
      env: { AI_RUNTIME_WAIT_SECONDS: "1" },
    });

    expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(run.stderr).toContain("! usage limit reached, no reset time given; waiting until ");
    expect(stepsDone(sandbox)).toEqual(["one"]);
  });
});

test("an API key that asks too fast is asked again soon, not after an hour", async () => {
  await using sandbox = await runSandbox(newestClaude);
  await using api = await fakeAnthropic(
    story().callsTool("Bash", step("one")).fails.apiKeyLimit({ times: 2 }).says("All done."),
  );

  const run = await airuntime(sandbox, api, ["run", "Write a step", skipPermissions], { as: "api-key" });

  expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "done" });
});

forEachClaude((version) => {
  test("the budget is for all attempts together", async () => {
    await using sandbox = await runSandbox(version);
    await using api = await fakeAnthropic(
      story()
        .callsTool("Bash", step("one"))
        .fails.overloaded({ times: 2 })
        .callsTool("Bash", step("more"), { times: Infinity }),
    );

    const run = await airuntime(sandbox, api, ["run", "Write", skipPermissions, "--max-budget-usd", "0.004"]);

    expect(run).toMatchObject({ exitCode: 1, stdout: "" });
    expect(run.stderr).toContain("✘ the budget of --max-budget-usd is used up.");
    const { status } = onlyRun(sandbox);
    expect(status).toMatchObject({ phase: "failed", cause: "budget" });
    // One answer over it at most, whatever the number of starts.
    const costs = journalOf(onlyRun(sandbox)).flatMap(({ costUsd }) => (typeof costUsd === "number" ? [costUsd] : []));
    expect(costs.length).toBeGreaterThan(1);
    expect(status.costUsd).toBeCloseTo(
      costs.reduce((sum, each) => sum + each, 0),
      9,
    );
    expect(status.costUsd).toBeLessThan(0.006);
    // Nothing is left to spend: nothing is asked.
    const asked = api.mainRequests.length;
    expect(await airuntime(sandbox, api, ["resume"])).toMatchObject({ exitCode: 1 });
    expect(api.mainRequests).toHaveLength(asked);
  });
});
