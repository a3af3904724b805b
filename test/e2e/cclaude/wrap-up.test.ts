// `cclaude -p` when the client told Claude to stop near the usage limit.
import { expect, test } from "bun:test";
import { lastDecision, restoredHeader, runCclaude, skipPermissions } from "../../support/runs/cclaude.ts";
import { newestClaude } from "../../support/sandbox/claude-versions.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { enableWrapUp, nearLimit } from "../../support/worlds/wrap-up.ts";

test("cclaude -p waits after a wrap-up and continues the task", async () => {
  await using api = await fakeAnthropic(
    story()
      .callsTool("Bash", { command: "echo first-result" }, { limit: { ...nearLimit, resetsInSeconds: 3_600 } })
      .says("The first is written. Remaining: the second.")
      .says("All done."),
  );
  await using sandbox = await installedSandbox(newestClaude);
  const env = { ...enableWrapUp(sandbox), AI_RUNTIME_WAIT_SECONDS: "1" };

  const run = await runCclaude(sandbox, api, ["-p", "Do a lot", skipPermissions], { env });

  expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
  expect(run.stderr).toMatch(
    /^cclaude: claude said: The first is written\..*\ncclaude: Claude wrapped up near the usage limit, no reset time given; waiting until \d\d:\d\d \(1s\), then resuming/,
  );
  expect(api.mainRequests.at(-1)?.lastText).toContain(restoredHeader);
  expect(api.unexpected).toBeEmpty();
  // The last end was a normal one.
  expect(lastDecision(sandbox).decision).toEqual({ cause: "finished", action: { kind: "exit" } });
});
