// `cclaude -p` with the real client: each end of a run, and what is done about it.
import { expect, test } from "bun:test";
import {
  cclaudeSandbox,
  lastDecision,
  restoredMark,
  runCclaude,
  skipPermissions,
  tellingClaude,
} from "../support/cclaude.ts";
import { forEachClaude } from "../support/claude-versions.ts";
import { fakeAnthropic, type FakeAnthropic } from "../support/fake-anthropic.ts";
import { hangs } from "../support/replies.ts";
import { story } from "../support/scenario.ts";
import { untilTranscript } from "../support/until-transcript.ts";

const firstStep = { command: "echo first-result" };
const always = { times: Infinity };

/** One session from beginning to end, and all of it before the model when it is resumed. */
function expectWholeHistory(api: FakeAnthropic, prompt: string): void {
  const resumed = api.mainRequests.at(-1);
  expect(resumed?.conversationText).toContain(prompt);
  expect(resumed?.conversationText).toContain("first-result");
  expect(resumed?.lastText).toContain(restoredMark);
  expect(new Set(api.mainRequests.map(({ sessionId }) => sessionId)).size).toBe(1);
  expect(api.unexpected).toBeEmpty();
}

forEachClaude((version) => {
  test("a run that finishes is claude's own, word for word", async () => {
    await using api = await fakeAnthropic(story().callsTool("Bash", firstStep).says("Done."));
    await using sandbox = await cclaudeSandbox(version);

    const run = await runCclaude(sandbox, api, ["-p", "Write it", skipPermissions]);

    expect(run).toEqual({ exitCode: 0, signal: null, stdout: "Done.\n", stderr: "" });
    expect(lastDecision(sandbox)).toMatchObject({
      evidence: { endReason: "other", hooksSeen: true, progress: true, resumable: true },
      decision: { cause: "finished", action: { kind: "exit" } },
    });
  });

  test("a claude that is killed is resumed with its whole history", async () => {
    await using sandbox = await cclaudeSandbox(version);
    const claude = tellingClaude(sandbox);
    await using api = await fakeAnthropic(
      story()
        .callsTool("Bash", firstStep)
        .answers(async () => {
          await untilTranscript(sandbox, `"content":"first-result"`);
          claude.kill();
          return hangs();
        })
        .says("Went on."),
    );

    const run = await runCclaude(sandbox, api, ["-p", "Do a lot", skipPermissions], {
      env: { CCLAUDE_CLAUDE_BIN: claude.path },
    });

    expect(run).toMatchObject({ exitCode: 0, signal: null, stdout: "Went on.\n" });
    expect(run.stderr).toMatch(/^cclaude: claude ended unexpectedly \(SIGKILL\); resuming session [0-9a-f-]{36}\n$/);
    expectWholeHistory(api, "Do a lot");
  });

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

  test("an answer about rate limits is an answer", async () => {
    const words = "You've hit your 5-hour limit · resets 2:50am (UTC). That is what the page says.";
    await using api = await fakeAnthropic(story().says(words));
    await using sandbox = await cclaudeSandbox(version);

    const run = await runCclaude(sandbox, api, ["-p", "Quote the page"]);

    expect(run).toEqual({ exitCode: 0, signal: null, stdout: `${words}\n`, stderr: "" });
  });
});
