// `cclaude -p` with the real client: each end of a run, and what is done about it.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { forEachClaude } from "../support/claude-versions.ts";
import { executable } from "../support/executable.ts";
import { type FakeAnthropic, fakeAnthropic } from "../support/fake-anthropic.ts";
import { createSandbox, type RunOptions, type Sandbox } from "../support/sandbox.ts";
import { story } from "../support/scenario.ts";
import { SnapshotFiles } from "../support/snapshot-files.ts";

const skip = "--dangerously-skip-permissions";
const restored = "[AI-RUNTIME CONTEXT RESTORED]";

function cclaude(sandbox: Sandbox, api: FakeAnthropic, args: readonly string[], options: RunOptions = {}) {
  const env = { ...sandbox.claudeEnv(api), CCLAUDE_RETRY_SECONDS: "0.1", ...options.env };
  return sandbox.run(["cclaude", ...args], { ...options, env });
}

function lastDecision(sandbox: Sandbox): { evidence: Record<string, unknown>; decision: Record<string, unknown> } {
  return JSON.parse(readFileSync(join(new SnapshotFiles(sandbox).root, "last-decision.json"), "utf8"));
}

forEachClaude((version) => {
  describe("cclaude -p", () => {
    test("a run that finishes is claude's own, word for word", async () => {
      await using api = await fakeAnthropic(story().callsTool("Bash", { command: "echo one > a.txt" }).says("Done."));
      await using sandbox = await createSandbox({ claude: version });
      await sandbox.installBinaries(executable);

      const run = await cclaude(sandbox, api, ["-p", "Write it", skip]);

      expect(run).toEqual({ exitCode: 0, signal: null, stdout: "Done.\n", stderr: "" });
      expect(lastDecision(sandbox)).toMatchObject({
        evidence: { endReason: "other", hooksSeen: true, progress: true, resumable: true },
        decision: { cause: "finished", action: { kind: "exit" } },
      });
    });

    test("a claude that is killed in a tool call is resumed with its whole history", async () => {
      await using sandbox = await createSandbox({ claude: version });
      await sandbox.installBinaries(executable);
      const kill = `kill -9 $(cat ${join(sandbox.root, "pid")})`;
      await using api = await fakeAnthropic(
        story().callsTool("Bash", { command: "echo first-result" }).callsTool("Bash", { command: kill }).says("Went on."),
      );
      // A claude that tells its pid: what starts under cclaude is the real one.
      const run = await cclaude(sandbox, api, ["-p", "Do a lot", skip], {
        env: { CCLAUDE_CLAUDE_BIN: await tellingClaude(sandbox) },
      });

      expect(run).toMatchObject({ exitCode: 0, signal: null, stdout: "Went on.\n" });
      expect(run.stderr).toMatch(/^cclaude: claude ended unexpectedly \(SIGKILL\); resuming session [0-9a-f-]{36}\n$/);
      const resumed = api.mainRequests.at(-1);
      expect(resumed?.conversationText).toContain("Do a lot");
      expect(resumed?.conversationText).toContain("first-result");
      expect(resumed?.lastText).toContain(restored);
      expect(new Set(api.mainRequests.map(({ sessionId }) => sessionId)).size).toBe(1);
    });
  });
});

async function tellingClaude(sandbox: Sandbox): Promise<string> {
  const path = join(sandbox.root, "telling-claude");
  await Bun.write(path, `#!/bin/sh\necho $$ > ${join(sandbox.root, "pid")}\nexec claude "$@"\n`);
  const { exitCode } = await sandbox.run(["chmod", "+x", path]);
  expect(exitCode).toBe(0);
  return path;
}
