// `cclaude -p` when the API refuses: limits are waited for, failures asked again, a wrong login ends it.
import { expect, test } from "bun:test";
import { cclaudeSandbox, expectWholeHistory, runCclaude, skipPermissions } from "../support/cclaude.ts";
import { forEachClaude } from "../support/claude-versions.ts";
import { fakeAnthropic } from "../support/fake-anthropic.ts";
import { story } from "../support/scenario.ts";

const firstStep = { command: "echo first-result" };
const always = { times: Infinity };

forEachClaude((version) => {
  test("at a usage limit it waits for the reset and goes on", async () => {
    await using api = await fakeAnthropic(
      story().callsTool("Bash", firstStep).fails.limit({ resetsInSeconds: 2 }).says("Went on."),
    );
    await using sandbox = await cclaudeSandbox(version);

    const run = await runCclaude(sandbox, api, ["-p", "Do a lot", skipPermissions]);

    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/limit · resets .*\nWent on\.\n$/) });
    expect(run.stderr).toMatch(
      /^cclaude: usage limit reached; waiting until \d\d:\d\d \(\d+s\), then resuming session [0-9a-f-]{36}\ncclaude: the usage limit has reset; resuming session [0-9a-f-]{36}\n$/,
    );
    expectWholeHistory(api, "Do a lot");
  });

  test("told not to wait, it ends with exit code 75 and how to go on", async () => {
    await using api = await fakeAnthropic(story().fails.limit({ resetsInSeconds: 3_600 }));
    await using sandbox = await cclaudeSandbox(version);

    const run = await runCclaude(sandbox, api, ["-p", "Do a lot"], { env: { CCLAUDE_NO_WAIT: "1" } });

    expect(run).toMatchObject({ exitCode: 75, signal: null });
    expect(run.stderr).toMatch(
      /^cclaude: usage limit reached until \d\d:\d\d \([\dhms ]+\); not waiting\. Go on with: cclaude --resume [0-9a-f-]{36}\n$/,
    );
  });

  test("an overloaded API is asked again", async () => {
    await using api = await fakeAnthropic(
      story().callsTool("Bash", firstStep).fails.overloaded({ times: 2 }).says("Went on."),
    );
    await using sandbox = await cclaudeSandbox(version);

    const run = await runCclaude(sandbox, api, ["-p", "Do a lot", skipPermissions]);

    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^API Error: 529 .*\nWent on\.\n$/s) });
    expect(run.stderr).toMatch(/^cclaude: the API failed; resuming session [0-9a-f-]{36}\n$/);
    expectWholeHistory(api, "Do a lot");
  });

  test("a wrong login ends it, with claude's exit code and one line of help", async () => {
    await using api = await fakeAnthropic(story().fails.unauthorized(always));
    await using sandbox = await cclaudeSandbox(version);

    const run = await runCclaude(sandbox, api, ["-p", "Do a lot"]);

    expect(run).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/401/) });
    expect(run.stderr).toMatch(/^cclaude: claude could not log in, .*\n$/);
    expect(api.mainRequests).toHaveLength(2);
  });

  test("no credit ends it, with claude's exit code and one line of help", async () => {
    await using api = await fakeAnthropic(story().fails.creditBalance(always));
    await using sandbox = await cclaudeSandbox(version);

    const run = await runCclaude(sandbox, api, ["-p", "Do a lot"], { as: "api-key" });

    expect(run).toMatchObject({ exitCode: 1, stdout: "Credit balance is too low\n" });
    expect(run.stderr).toMatch(/^cclaude: .*credit.*\n$/);
  });

  test("a flag that claude does not know ends it, with claude's exit code and one line of help", async () => {
    await using api = await fakeAnthropic();
    await using sandbox = await cclaudeSandbox(version);
    const words = ["-p", "Do a lot", "--no-such-flag"] as const;
    const direct = await sandbox.claude(api, words);

    const run = await runCclaude(sandbox, api, words);

    expect(run).toMatchObject({ exitCode: direct.exitCode, stdout: direct.stdout });
    expect(run.exitCode).not.toBe(0);
    expect(run.stderr).toMatch(/unknown option '--no-such-flag'\n(.*\n)?cclaude: .*claude --help\n$/);
    expect(api.mainRequests).toBeEmpty();
  });
});
