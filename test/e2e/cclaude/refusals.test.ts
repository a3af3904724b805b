// What `cclaude -p` does when the API refuses for longer than a moment.
import { expect, test } from "bun:test";
import { expectWholeHistory, runCclaude, skipPermissions, firstStep } from "../../support/runs/cclaude.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { outOfCredits, refuses } from "../../support/anthropic/refusals.ts";
import { story } from "../../support/anthropic/scenario.ts";

const always = { times: Infinity };
const env = { CCLAUDE_RETRY_SECONDS: "0.1" };

forEachClaude((version) => {
  test("cclaude outlasts five failures of the API in a row", async () => {
    await using api = await fakeAnthropic(
      story().callsTool("Bash", firstStep).fails.overloaded({ times: 10 }).says("Went on."),
    );
    await using sandbox = await installedSandbox(version);

    const run = await runCclaude(sandbox, api, ["-p", "Do a lot", skipPermissions], { env });

    expect(run).toMatchObject({ exitCode: 0, stdout: "Went on.\n" });
    expectWholeHistory(api, "Do a lot");
  });

  test("cclaude treats an API key's rate limit without a reset as a failure of the API", async () => {
    await using api = await fakeAnthropic(
      story().callsTool("Bash", firstStep).fails.apiKeyLimit({ times: 2 }).says("Went on."),
    );
    await using sandbox = await installedSandbox(version);

    const run = await runCclaude(sandbox, api, ["-p", "Do a lot", skipPermissions], { env, as: "api-key" });

    expect(run).toMatchObject({ exitCode: 0, stdout: "Went on.\n" });
    expect(run.stderr).toMatch(
      /^cclaude: claude said: API Error: .*429.*\ncclaude: the API failed.*; resuming session [0-9a-f-]{36}\n$/,
    );
  });

  test("cclaude exits with code 75 and both remedies when the usage credits are used up and no reset is stated", async () => {
    await using api = await fakeAnthropic(story().answers(outOfCredits, always));
    await using sandbox = await installedSandbox(version);

    const run = await runCclaude(sandbox, api, ["-p", "Do a lot"], { env });

    expect(run).toMatchObject({ exitCode: 75, signal: null });
    expect(run.stderr).toMatch(
      /^cclaude: spend limit reached, no reset time given \("You're out of .*"\)\. .*cclaude --resume [0-9a-f-]{36} --model <model>.* Resume with: cclaude --resume [0-9a-f-]{36}\n$/,
    );
  });

  test("cclaude shows the words of an API that denies access, and does not suggest a login", async () => {
    const words = "Usage is paused for your organization. For help, please contact support.";
    await using api = await fakeAnthropic(story().answers(refuses(403, "permission_error", words), always));
    await using sandbox = await installedSandbox(version);

    const run = await runCclaude(sandbox, api, ["-p", "Do a lot"], { env });

    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain(words);
    expect(run.stderr).toMatch(/^cclaude: the API denies this account access \(.*\n$/);
    expect(run.stderr).not.toContain("/login");
  });
});
