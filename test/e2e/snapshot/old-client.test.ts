// After a downgrade the settings may contain hooks that an old client understands only in part; they must not disturb Claude.
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executable } from "../../support/executable.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { createSandbox } from "../../support/sandbox/sandbox.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { SnapshotFiles } from "../../support/worlds/snapshot-files.ts";

test("Claude Code 2.1.36, which ignores a hook's arguments, still takes snapshots, and the model sees no hook output", async () => {
  await using api = await fakeAnthropic(story().callsTool("Bash", { command: "echo hi" }).says("Done."));
  await using sandbox = await createSandbox({ claude: "2.1.36" });
  await sandbox.installBinaries(executable);
  const hook = { type: "command", command: join(sandbox.binDir, "ai-runtime"), args: ["session-snapshot", "hook"] };
  const entry = [{ matcher: "*", hooks: [hook] }];
  mkdirSync(sandbox.configDir, { recursive: true });
  const settings = { hooks: { PostToolUse: entry, Stop: entry, SessionEnd: entry } };
  writeFileSync(join(sandbox.configDir, "settings.json"), JSON.stringify(settings));

  const run = await sandbox.claude(api, ["-p", "Say hi", "--dangerously-skip-permissions"]);

  expect(run).toEqual({ exitCode: 0, signal: null, stdout: "Done.\n", stderr: "" });
  expect(api.mainRequests).toHaveLength(2);
  expect(api.mainRequests[1]?.conversationText).not.toContain("session-snapshot");
  const [transcript = ""] = await sandbox.transcripts();
  const files = new SnapshotFiles(sandbox);
  const mirror = files.mirror(files.latest().sessionId);
  // This client may write its last lines after its last hook.
  expect(mirror.length).toBeGreaterThan(0);
  expect(readFileSync(transcript).indexOf(mirror)).toBe(0);
});
