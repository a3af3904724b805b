// What `cclaude -p` does when the API refuses a request.
import { expect, test } from "bun:test";
import { expectWholeHistory, runCclaude, skipPermissions, firstStep } from "../../support/runs/cclaude.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { story } from "../../support/anthropic/scenario.ts";

const always = { times: Infinity };

forEachClaude((version) => {
  test("cclaude waits for the usage limit to reset and resumes the session", async () => {
    await using api = await fakeAnthropic(
      story().callsTool("Bash", firstStep).fails.limit({ resetsInSeconds: 2 }).says("Went on."),
    );
    await using sandbox = await installedSandbox(version);

    const run = await runCclaude(sandbox, api, ["-p", "Do a lot", skipPermissions]);

    expect(run).toMatchObject({ exitCode: 0, stdout: "Went on.\n" });
    expect(run.stderr).toMatch(
      /^cclaude: claude said: You've hit your .*limit · resets .*\ncclaude: usage limit reached; waiting until \d\d:\d\d \(\d+s\), then resuming session [0-9a-f-]{36}\ncclaude: the usage limit has reset; resuming session [0-9a-f-]{36}\n$/,
    );
    expectWholeHistory(api, "Do a lot");
  });

  test("cclaude waits for the reset when only a subagent reached a limit", async () => {
    const subagent = { description: "Write", prompt: "Write it", subagent_type: "general-purpose" };
    await using api = await fakeAnthropic(
      story()
        .callsTool(version === "2.1.36" ? "Task" : "Agent", { ...subagent, run_in_background: false })
        .fails.limit({ resetsInSeconds: 2 })
        .says("The subagent could not write it.")
        .says("Went on."),
    );
    await using sandbox = await installedSandbox(version);

    const run = await runCclaude(sandbox, api, ["-p", "Do a lot", skipPermissions]);

    expect(run).toMatchObject({ exitCode: 0, stdout: "Went on.\n" });
    expect(run.stderr).toMatch(/^cclaude: a subagent reached a usage limit; waiting until \d\d:\d\d/m);
    expect(api.mainRequests.at(-1)?.conversationText).toContain("The subagent could not write it.");
  });

  test("cclaude with CCLAUDE_NO_WAIT exits with code 75 at a usage limit and prints how to resume", async () => {
    await using api = await fakeAnthropic(story().fails.limit({ resetsInSeconds: 3_600 }));
    await using sandbox = await installedSandbox(version);

    const run = await runCclaude(sandbox, api, ["-p", "Do a lot"], { env: { CCLAUDE_NO_WAIT: "1" } });

    expect(run).toMatchObject({ exitCode: 75, signal: null });
    expect(run.stderr).toMatch(
      /^cclaude: usage limit until (?:\w{3} \d+ \w{3} )?\d\d:\d\d \([\dhms ]+\); not waiting\. Resume with: cclaude --resume [0-9a-f-]{36}\n$/,
    );
  });

  test("cclaude resumes the session after the API was overloaded", async () => {
    await using api = await fakeAnthropic(
      story().callsTool("Bash", firstStep).fails.overloaded({ times: 2 }).says("Went on."),
    );
    await using sandbox = await installedSandbox(version);

    const run = await runCclaude(sandbox, api, ["-p", "Do a lot", skipPermissions]);

    expect(run).toMatchObject({ exitCode: 0, stdout: "Went on.\n" });
    expect(run.stderr).toMatch(
      /^cclaude: claude said: API Error: 529 .*\ncclaude: the API failed; resuming session [0-9a-f-]{36}\n$/,
    );
    expectWholeHistory(api, "Do a lot");
  });

  test("cclaude exits with claude's code and one line of help when the login is wrong", async () => {
    await using api = await fakeAnthropic(story().fails.unauthorized(always));
    await using sandbox = await installedSandbox(version);

    const run = await runCclaude(sandbox, api, ["-p", "Do a lot"]);

    expect(run).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/401/) });
    expect(run.stderr).toMatch(/^cclaude: claude could not log in \("Failed to authenticate\..*"\)\. .*\n$/);
    expect(api.mainRequests).toHaveLength(2);
  });

  test("cclaude exits with claude's code and one line of help when the credit is used up", async () => {
    await using api = await fakeAnthropic(story().fails.creditBalance(always));
    await using sandbox = await installedSandbox(version);

    const run = await runCclaude(sandbox, api, ["-p", "Do a lot"], { as: "api-key" });

    expect(run).toMatchObject({ exitCode: 1, stdout: "Credit balance is too low\n" });
    expect(run.stderr).toMatch(/^cclaude: .*credit.*\n$/);
  });

  test("cclaude exits with claude's code and one line of help when claude does not know a flag", async () => {
    await using api = await fakeAnthropic();
    await using sandbox = await installedSandbox(version);
    const words = ["-p", "Do a lot", "--no-such-flag"] as const;
    const direct = await sandbox.claude(api, words);

    const run = await runCclaude(sandbox, api, words);

    expect(run).toMatchObject({ exitCode: direct.exitCode, stdout: direct.stdout });
    expect(run.exitCode).not.toBe(0);
    expect(run.stderr).toMatch(/unknown option '--no-such-flag'\n(.*\n)?cclaude: .*claude --help\n$/);
    expect(api.mainRequests).toBeEmpty();
  });
});
