// What `cclaude -p` does for each way the real client ends.
import { expect, test } from "bun:test";
import {
  expectWholeHistory,
  lastDecision,
  runCclaude,
  skipPermissions,
  killableClaude,
  firstStep,
  storyThatKills,
} from "../../support/runs/cclaude.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { story } from "../../support/anthropic/scenario.ts";

forEachClaude((version) => {
  test("cclaude prints exactly what claude prints when the task finishes", async () => {
    await using api = await fakeAnthropic(story().callsTool("Bash", firstStep).says("Done."));
    await using sandbox = await installedSandbox(version);

    const run = await runCclaude(sandbox, api, ["-p", "Write it", skipPermissions]);

    expect(run).toEqual({ exitCode: 0, signal: null, stdout: "Done.\n", stderr: "" });
    expect(lastDecision(sandbox)).toMatchObject({
      evidence: { endReason: "other", hooksSeen: true, progress: true, resumable: true },
      decision: { cause: "finished", action: { kind: "exit" } },
    });
  });

  test("cclaude resumes a killed claude with its whole history", async () => {
    await using sandbox = await installedSandbox(version);
    const claude = killableClaude(sandbox);
    await using api = await fakeAnthropic(storyThatKills(sandbox, claude));

    const run = await runCclaude(sandbox, api, ["-p", "Do a lot", skipPermissions], {
      env: { CCLAUDE_CLAUDE_BIN: claude.path },
    });

    expect(run).toMatchObject({ exitCode: 0, signal: null, stdout: "Went on.\n" });
    expect(run.stderr).toMatch(/^cclaude: claude ended unexpectedly \(SIGKILL\); resuming session [0-9a-f-]{36}\n$/);
    expectWholeHistory(api, "Do a lot");
  });

  test("cclaude treats an answer that quotes a limit message as a normal answer", async () => {
    const words = "You've hit your 5-hour limit · resets 2:50am (UTC). That is what the page says.";
    await using api = await fakeAnthropic(story().says(words));
    await using sandbox = await installedSandbox(version);

    const run = await runCclaude(sandbox, api, ["-p", "Quote the page"]);

    expect(run).toEqual({ exitCode: 0, signal: null, stdout: `${words}\n`, stderr: "" });
  });
});
