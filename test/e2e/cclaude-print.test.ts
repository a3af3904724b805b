// `cclaude -p` with the real client: each end of a run, and what is done about it.
import { expect, test } from "bun:test";
import {
  cclaudeSandbox,
  expectWholeHistory,
  lastDecision,
  runCclaude,
  skipPermissions,
  tellingClaude,
} from "../support/cclaude.ts";
import { forEachClaude } from "../support/claude-versions.ts";
import { fakeAnthropic } from "../support/fake-anthropic.ts";
import { hangs } from "../support/replies.ts";
import { story } from "../support/scenario.ts";
import { untilTranscript } from "../support/until-transcript.ts";

const firstStep = { command: "echo first-result" };

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

  test("an answer about rate limits is an answer", async () => {
    const words = "You've hit your 5-hour limit · resets 2:50am (UTC). That is what the page says.";
    await using api = await fakeAnthropic(story().says(words));
    await using sandbox = await cclaudeSandbox(version);

    const run = await runCclaude(sandbox, api, ["-p", "Quote the page"]);

    expect(run).toEqual({ exitCode: 0, signal: null, stdout: `${words}\n`, stderr: "" });
  });
});
