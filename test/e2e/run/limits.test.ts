// What `ai-runtime run` does when the API refuses a request.
import { expect, test } from "bun:test";
import { restoredHeader, skipPermissions } from "../../support/runs/cclaude.ts";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { runAiRuntime, checkpointOf, journalOf, onlyRun, step, stepsDone } from "../../support/runs/runs.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { story } from "../../support/anthropic/scenario.ts";

const always = { times: Infinity };

forEachClaude((version) => {
  test("a run waits for a limit in mid-task to reset and finishes, with each step done once", async () => {
    await using api = await fakeAnthropic(
      story()
        .callsTool("Bash", step("one"), { saying: "First.\n<!-- CHECKPOINT: one is written -->" })
        .fails.limit({ resetsInSeconds: 3 })
        .callsTool("Bash", step("two"))
        .says("All done.\n<!-- CHECKPOINT: two is written -->"),
    );
    await using sandbox = await installedSandbox(version);

    const run = await runAiRuntime(sandbox, api, ["run", "Write two steps", skipPermissions]);

    expect(run).toMatchObject({ exitCode: 0, signal: null, stdout: "All done.\n" });
    expect(run.stderr).toMatch(/! usage limit reached; waiting until \d\d:\d\d \(\d+s\), then resuming the task\n/);
    expect(stepsDone(sandbox)).toEqual(["one", "two"]);
    const resumed = api.mainRequests.at(-2);
    expect(resumed?.conversationText).toContain("Write two steps");
    expect(resumed?.conversationText).toMatch(/^one$/m);
    expect(resumed?.lastText).toContain(restoredHeader);
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

  test("a run waits twice for two limits in a row", async () => {
    await using api = await fakeAnthropic(
      story()
        .callsTool("Bash", step("one"))
        .fails.limit({ resetsInSeconds: 2 })
        .fails.limit({ resetsInSeconds: 3, window: "seven_day" })
        .says("All done."),
    );
    await using sandbox = await installedSandbox(version);

    const run = await runAiRuntime(sandbox, api, ["run", "Write a step", skipPermissions]);

    expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    const waits = journalOf(onlyRun(sandbox)).filter((entry) => entry["phase"] === "waiting-limit");
    expect(waits).toHaveLength(2);
    expect(stepsDone(sandbox)).toEqual(["one"]);
  });

  test("a run with --no-wait exits with code 75 at a limit, and resume finishes it", async () => {
    await using api = await fakeAnthropic(
      story().callsTool("Bash", step("one")).fails.limit({ resetsInSeconds: 3_600 }).says("All done."),
    );
    await using sandbox = await installedSandbox(version);

    const run = await runAiRuntime(sandbox, api, ["run", "Write a step", skipPermissions, "--no-wait"]);

    expect(run).toMatchObject({ exitCode: 75, stdout: "" });
    const { plan, status } = onlyRun(sandbox);
    expect(status).toMatchObject({ phase: "paused", cause: "limit" });
    expect(run.stderr).toContain(`not waiting. Resume with: ai-runtime resume ${plan.id}\n`);
    expect(await runAiRuntime(sandbox, api, ["resume"])).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(stepsDone(sandbox)).toEqual(["one"]);
  });

  test("a run retries until a series of 529 answers is over", async () => {
    await using api = await fakeAnthropic(
      story().callsTool("Bash", step("one")).fails.overloaded({ times: 5 }).says("All done."),
    );
    await using sandbox = await installedSandbox(version);

    const run = await runAiRuntime(sandbox, api, ["run", "Write a step", skipPermissions]);

    expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(run.stderr).toMatch(/! the API failed \("API Error: 529 .*"\); resuming the task/);
    expect(stepsDone(sandbox)).toEqual(["one"]);
  });

  test("a run resumes after a dropped connection", async () => {
    await using api = await fakeAnthropic(story().callsTool("Bash", step("one")).drops({ times: 2 }).says("All done."));
    await using sandbox = await installedSandbox(version);

    const run = await runAiRuntime(sandbox, api, ["run", "Write a step", skipPermissions]);

    expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(stepsDone(sandbox)).toEqual(["one"]);
  });

  test("a run without a login stops at once with exit code 77", async () => {
    await using api = await fakeAnthropic(story().fails.unauthorized(always));
    await using sandbox = await installedSandbox(version);

    const run = await runAiRuntime(sandbox, api, ["run", "Do it"]);

    expect(run).toMatchObject({ exitCode: 77, stdout: "" });
    expect(run.stderr).toMatch(
      /✘ claude could not log in \("Failed to authenticate\. .*401.*"\)\. Run claude and \/login, or check the API key\./,
    );
    expect(onlyRun(sandbox).status).toMatchObject({ phase: "failed", cause: "authentication", attempts: 1 });
  });

  test("a run without credit stops at once with exit code 77", async () => {
    await using api = await fakeAnthropic(story().fails.creditBalance(always));
    await using sandbox = await installedSandbox(version);

    const run = await runAiRuntime(sandbox, api, ["run", "Do it"], { as: "api-key" });

    expect(run).toMatchObject({ exitCode: 77, stdout: "" });
    expect(onlyRun(sandbox).status).toMatchObject({ phase: "failed", cause: "billing", attempts: 1 });
  });

  test("a run does not wait when Claude only writes about a limit", async () => {
    const words = "I added a rate limit: usage limit reached, resets 10pm (UTC)";
    await using api = await fakeAnthropic(story().callsTool("Bash", step("one"), { saying: words }).says(words));
    await using sandbox = await installedSandbox(version);

    const run = await runAiRuntime(sandbox, api, ["run", "Add a rate limit", skipPermissions]);

    expect(run).toMatchObject({ exitCode: 0, stdout: `${words}\n` });
    expect(onlyRun(sandbox).status).toMatchObject({ phase: "done", attempts: 1 });
  });
});
