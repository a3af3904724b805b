// What `ai-runtime run` does when the API refuses for longer than a moment: spend limits, limits of one model, permissions,
// rejected requests, and trouble that outlasts every count.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { restoredHeader, skipPermissions } from "../../support/runs/cclaude.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { type ClaudeVersion, forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import {
  refuses,
  refusesUntilRestored,
  regainAccess,
  unified,
  outOfCredits,
} from "../../support/anthropic/refusals.ts";
import { onlyRun, runAiRuntime, step, stepsDone } from "../../support/runs/runs.ts";
import { says } from "../../support/anthropic/replies.ts";
import { story } from "../../support/anthropic/scenario.ts";

const always = { times: Infinity };
const rejected = refuses(400, "invalid_request_error", "messages: something is not right");
const paused = refuses(
  403,
  "permission_error",
  "Usage is paused for your organization. For help, please contact support.",
);

forEachClaude((version) => {
  test("a run waits until the API grants access again at a spend limit", async () => {
    await using api = await fakeAnthropic(
      story()
        .callsTool("Bash", step("one"))
        .answers(
          refusesUntilRestored(() => regainAccess(new Date()), restoredHeader, says("All done.")),
          always,
        ),
    );
    await using sandbox = await installedSandbox(version);

    const run = await runAiRuntime(sandbox, api, ["run", "Write a step", skipPermissions], { as: "api-key" });

    expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(run.stderr).toMatch(
      /! spend limit reached; waiting until (?:\w{3} \d+ \w{3} )?\d\d:\d\d \(\d+s\), then resuming the task\n/,
    );
    expect(stepsDone(sandbox)).toEqual(["one"]);
  });

  test("a run that may not wait for access in two weeks exits with code 75 and names the date", async () => {
    const until = new Date(Date.now() + 14 * 86_400_000);
    await using api = await fakeAnthropic(story().answers(regainAccess(until), always));
    await using sandbox = await installedSandbox(version);

    const run = await runAiRuntime(sandbox, api, ["run", "Do it", "--max-wait", "5h"], { as: "api-key" });

    expect(run).toMatchObject({ exitCode: 75, stdout: "" });
    const { status } = onlyRun(sandbox);
    expect(status).toMatchObject({ phase: "paused", cause: "limit" });
    expect(Math.abs((status.until ?? 0) - until.getTime())).toBeLessThan(62_000);
  });

  test("a run without usage credits and without a reset is held, and names both remedies", async () => {
    await using api = await fakeAnthropic(story().answers(outOfCredits, always));
    await using sandbox = await installedSandbox(version);

    const run = await runAiRuntime(sandbox, api, ["run", "Do it"]);

    expect(run).toMatchObject({ exitCode: 75, stdout: "" });
    const { plan, status } = onlyRun(sandbox);
    expect(status).toMatchObject({ phase: "paused", cause: "limit", until: null, attempts: 1 });
    expect(run.stderr).toMatch(/■ spend limit reached, no reset time given \("You're out of [a-z ]+"\)\./);
    expect(run.stderr).toContain(`cclaude --resume ${plan.sessionId} --model <model>`);
    expect(run.stderr).toEndWith(`Resume with: ai-runtime resume ${plan.id}\n`);
  });

  test("a run shows the words of the API that rejects its request for good, also in the log and as JSON", async () => {
    const words = /API Error: 400 .*messages: something is not right/;
    await using api = await fakeAnthropic(story().answers(rejected, always));
    await using sandbox = await installedSandbox(version);

    const run = await runAiRuntime(sandbox, api, ["run", "Do it"], { as: "api-key" });

    expect(run).toMatchObject({ exitCode: 1, stdout: "" });
    expect(run.stderr).toMatch(
      /✘ the API rejected the request for good \("API Error: 400 .*something is not right.*"\)/,
    );
    const { plan } = onlyRun(sandbox);
    expect(readFileSync(join(plan.directory, "output.log"), "utf8")).toMatch(words);
    const json = await runAiRuntime(sandbox, api, ["resume", plan.id, "--json"], { as: "api-key" });
    const ended: unknown = JSON.parse(json.stdout.trim().split("\n").at(-1) ?? "");
    expect(ended).toMatchObject({ event: "ended", cause: "error", message: expect.stringMatching(words) });
  });

  test("a run of an organization whose usage is paused stops with the API's words and does not suggest a login", async () => {
    await using api = await fakeAnthropic(story().answers(paused, always));
    await using sandbox = await installedSandbox(version);

    const run = await runAiRuntime(sandbox, api, ["run", "Do it"]);

    expect(run).toMatchObject({ exitCode: 77, stdout: "" });
    expect(run.stderr).toMatch(
      /✘ the API denies this account access \(".*Usage is paused for your organization.*"\)\./,
    );
    expect(run.stderr).not.toMatch(/could not log in|\/login/);
    expect(onlyRun(sandbox).status).toMatchObject({ phase: "failed", cause: "permission", attempts: 1 });
  });

  test("a run outlasts more failures of the API than attempts without an answer are allowed", async () => {
    await using api = await fakeAnthropic(
      story().callsTool("Bash", step("one")).fails.overloaded({ times: 8 }).says("All done."),
    );
    await using sandbox = await installedSandbox(version);
    const env = { AI_RUNTIME_MAX_ATTEMPTS: "2" };

    const run = await runAiRuntime(sandbox, api, ["run", "Write a step", skipPermissions], { env });

    expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(onlyRun(sandbox).status.attempts).toBeGreaterThan(3);
    expect(stepsDone(sandbox)).toEqual(["one"]);
  });

  test("a run outlasts an API key's rate limit that states no reset", async () => {
    await using api = await fakeAnthropic(story().fails.apiKeyLimit({ times: 6 }).says("All done."));
    await using sandbox = await installedSandbox(version);
    const env = { AI_RUNTIME_MAX_ATTEMPTS: "2" };

    const run = await runAiRuntime(sandbox, api, ["run", "Do it"], { env, as: "api-key" });

    expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(run.stderr).toContain("! the API failed");
  });

  test("a run gives up after --max-wait of failures, and recover finishes it", async () => {
    let isDown = true;
    await using api = await fakeAnthropic(
      story()
        .callsTool("Bash", step("one"))
        .answers(() => (isDown ? refuses(529, "overloaded_error", "Overloaded") : says("All done.")), always),
    );
    await using sandbox = await installedSandbox(version);

    const run = await runAiRuntime(sandbox, api, ["run", "Write a step", skipPermissions, "--max-wait", "1s"]);

    expect(run).toMatchObject({ exitCode: 1, stdout: "" });
    const { plan, status } = onlyRun(sandbox);
    expect(status).toMatchObject({ phase: "failed", cause: "server" });
    expect(run.stderr).toMatch(/✘ the API kept failing for \d+s .*everything is saved\./);
    isDown = false;
    expect((await runAiRuntime(sandbox, api, ["recover", "--dry-run"])).stdout).toContain(plan.id);
    expect(await runAiRuntime(sandbox, api, ["recover"])).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(stepsDone(sandbox)).toEqual(["one"]);
  });
});

const versionsWithModelLimits: readonly ClaudeVersion[] = ["2.1.326", "2.1.197"];
describe.each(versionsWithModelLimits)("Claude Code %s", (version) => {
  const modelLimit = (more: Readonly<Record<string, string>>) =>
    refuses(429, "rate_limit_error", "no", unified({ status: "rejected", ...more }));
  const fable = {
    "representative-claim": "seven_day_overage_included",
    "overage-status": "rejected",
    "overage-disabled-reason": "org_level_disabled",
  };

  test("a run at the limit of its model without a reset is held, and names another model as a remedy", async () => {
    await using api = await fakeAnthropic(story().answers(modelLimit(fable), always));
    await using sandbox = await installedSandbox(version);

    const run = await runAiRuntime(sandbox, api, ["run", "Do it"]);

    expect(run).toMatchObject({ exitCode: 75, stdout: "" });
    const { plan, status } = onlyRun(sandbox);
    expect(status).toMatchObject({ phase: "paused", cause: "limit", until: null });
    expect(run.stderr).toMatch(/■ limit of this model reached, no reset time given \("You've hit your Fable .*"\)\./);
    expect(run.stderr).toContain(`cclaude --resume ${plan.sessionId} --model <model>`);
  });

  test("a run waits for the limit of its model to reset, and does not hold back runs of other models", async () => {
    const reset = String(Math.floor(Date.now() / 1_000) + 6);
    await using api = await fakeAnthropic(
      story()
        .answers(modelLimit({ ...fable, reset }))
        .says("All done.", always),
    );
    await using sandbox = await installedSandbox(version);

    const run = await runAiRuntime(sandbox, api, ["run", "Do it"]);

    expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(run.stderr).toContain("! limit of this model reached; waiting until ");
    expect(() => readFileSync(join(sandbox.home, ".local/state/ai-runtime/limits.json"))).toThrow("ENOENT");
  });
});
