// `ai-runtime run` when the API refuses: limits are waited for, failures asked again, a wrong login ends it.
import { expect, test } from "bun:test";
import { restoredMark, skipPermissions } from "../support/cclaude.ts";
import { forEachClaude } from "../support/claude-versions.ts";
import { fakeAnthropic } from "../support/fake-anthropic.ts";
import { airuntime, checkpointOf, journalOf, onlyRun, runSandbox, step, stepsDone } from "../support/runs.ts";
import { story } from "../support/scenario.ts";

const always = { times: Infinity };

forEachClaude((version) => {
  test("at a limit in mid-task it waits for the reset and finishes, each step done once", async () => {
    await using api = await fakeAnthropic(
      story()
        .callsTool("Bash", step("one"), { saying: "First.\n<!-- CHECKPOINT: one is written -->" })
        .fails.limit({ resetsInSeconds: 3 })
        .callsTool("Bash", step("two"))
        .says("All done.\n<!-- CHECKPOINT: two is written -->"),
    );
    await using sandbox = await runSandbox(version);

    const run = await airuntime(sandbox, api, ["run", "Write two steps", skipPermissions]);

    expect(run).toMatchObject({ exitCode: 0, signal: null, stdout: "All done.\n" });
    expect(run.stderr).toMatch(/! usage limit reached; waiting until \d\d:\d\d \(\d+s\)\n/);
    expect(stepsDone(sandbox)).toEqual(["one", "two"]);
    const resumed = api.mainRequests.at(-2);
    expect(resumed?.conversationText).toContain("Write two steps");
    expect(resumed?.conversationText).toMatch(/^one$/m);
    expect(resumed?.lastText).toContain(restoredMark);
    expect(resumed?.lastText).toContain("Last completed step: one is written");
    const record = onlyRun(sandbox);
    expect(new Set(api.mainRequests.map(({ sessionId }) => sessionId))).toEqual(new Set([record.plan.sessionId]));
    expect(record.status).toMatchObject({ phase: "done", steps: 2, attempts: 2, exit: "done" });
    expect(checkpointOf(record)).toMatchObject({
      session_id: record.plan.sessionId,
      task_description: "Write two steps",
      last_step: "two is written",
      interrupted_by: null,
      cwd: sandbox.projectDir,
    });
    expect(api.unexpected).toBeEmpty();
  });

  test("two limits in a row are two waits", async () => {
    await using api = await fakeAnthropic(
      story()
        .callsTool("Bash", step("one"))
        .fails.limit({ resetsInSeconds: 2 })
        .fails.limit({ resetsInSeconds: 3, window: "seven_day" })
        .says("All done."),
    );
    await using sandbox = await runSandbox(version);

    const run = await airuntime(sandbox, api, ["run", "Write a step", skipPermissions]);

    expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    const waits = journalOf(onlyRun(sandbox)).filter((entry) => entry["phase"] === "waiting-limit");
    expect(waits).toHaveLength(2);
    expect(stepsDone(sandbox)).toEqual(["one"]);
  });

  test("told not to wait, it ends with exit code 75, and resume finishes", async () => {
    await using api = await fakeAnthropic(
      story().callsTool("Bash", step("one")).fails.limit({ resetsInSeconds: 3_600 }).says("All done."),
    );
    await using sandbox = await runSandbox(version);

    const run = await airuntime(sandbox, api, ["run", "Write a step", skipPermissions, "--no-wait"]);

    expect(run).toMatchObject({ exitCode: 75, stdout: "" });
    const { plan, status } = onlyRun(sandbox);
    expect(status).toMatchObject({ phase: "paused", cause: "limit" });
    expect(run.stderr).toContain(`not waiting. Go on with: ai-runtime resume ${plan.id}\n`);
    expect(await airuntime(sandbox, api, ["resume"])).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(stepsDone(sandbox)).toEqual(["one"]);
  });

  test("a storm of 529 is asked again until it is over", async () => {
    await using api = await fakeAnthropic(
      story().callsTool("Bash", step("one")).fails.overloaded({ times: 5 }).says("All done."),
    );
    await using sandbox = await runSandbox(version);

    const run = await airuntime(sandbox, api, ["run", "Write a step", skipPermissions]);

    expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(run.stderr).toContain("! the API failed; going on in ");
    expect(stepsDone(sandbox)).toEqual(["one"]);
  });

  test("a dropped connection is taken up again", async () => {
    await using api = await fakeAnthropic(story().callsTool("Bash", step("one")).drops({ times: 2 }).says("All done."));
    await using sandbox = await runSandbox(version);

    const run = await airuntime(sandbox, api, ["run", "Write a step", skipPermissions]);

    expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(stepsDone(sandbox)).toEqual(["one"]);
  });

  test("without a login it stops at once with exit code 77", async () => {
    await using api = await fakeAnthropic(story().fails.unauthorized(always));
    await using sandbox = await runSandbox(version);

    const run = await airuntime(sandbox, api, ["run", "Do it"]);

    expect(run).toMatchObject({ exitCode: 77, stdout: "" });
    expect(run.stderr).toContain("✘ claude could not log in. Run claude and /login, or check the API key.");
    expect(onlyRun(sandbox).status).toMatchObject({ phase: "failed", cause: "authentication", attempts: 1 });
  });

  test("without credit it stops at once with exit code 77", async () => {
    await using api = await fakeAnthropic(story().fails.creditBalance(always));
    await using sandbox = await runSandbox(version);

    const run = await airuntime(sandbox, api, ["run", "Do it"], { as: "api-key" });

    expect(run).toMatchObject({ exitCode: 77, stdout: "" });
    expect(onlyRun(sandbox).status).toMatchObject({ phase: "failed", cause: "billing", attempts: 1 });
  });

  test("Claude's words about a limit are not a limit", async () => {
    const words = "I added a rate limit: usage limit reached, resets 10pm (UTC)";
    await using api = await fakeAnthropic(story().callsTool("Bash", step("one"), { saying: words }).says(words));
    await using sandbox = await runSandbox(version);

    const run = await airuntime(sandbox, api, ["run", "Add a rate limit", skipPermissions]);

    expect(run).toMatchObject({ exitCode: 0, stdout: `${words}\n` });
    expect(onlyRun(sandbox).status).toMatchObject({ phase: "done", attempts: 1 });
  });
});
