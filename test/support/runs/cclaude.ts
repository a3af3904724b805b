// Shared by the tests of cclaude: starting it, a claude that can be killed, and reading its last decision.
import { expect } from "bun:test";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LastDecision } from "../../../src/store/cclaude/last-decision.ts";
import type { FakeAnthropic } from "../anthropic/fake-anthropic.ts";
import { hangs } from "../anthropic/replies.ts";
import { story, type Story } from "../anthropic/scenario.ts";
import type { AsCustomer, RunOptions, Sandbox } from "../sandbox/sandbox.ts";
import type { Finished } from "../sandbox/sandbox-process.ts";
import { untilTranscript } from "../transcripts/until-transcript.ts";
import { SnapshotFiles } from "../worlds/snapshot-files.ts";

export const skipPermissions = "--dangerously-skip-permissions";
export const restoredHeader = "[AI-RUNTIME CONTEXT RESTORED]";

export function runCclaude(
  sandbox: Sandbox,
  api: FakeAnthropic,
  args: readonly string[],
  options: RunOptions & AsCustomer = {},
): Promise<Finished> {
  const env = { ...sandbox.claudeEnv(api, options), CCLAUDE_RETRY_SECONDS: "0.1", ...options.env };
  return sandbox.run(["cclaude", ...args], { ...options, env });
}

export function lastDecision(sandbox: Sandbox): LastDecision {
  return JSON.parse(readFileSync(join(new SnapshotFiles(sandbox).root, "last-decision.json"), "utf8")) as LastDecision;
}

/** A script that records its pid and then executes the real claude, so that a test can kill or inspect it. */
export function killableClaude(sandbox: Sandbox): { readonly path: string; pid(): number; kill(): void } {
  const path = join(sandbox.root, "killable-claude");
  const file = join(sandbox.root, "claude-pid");
  writeFileSync(path, `#!/bin/sh\necho $$ > ${file}\nexec claude "$@"\n`);
  chmodSync(path, 0o755);
  const pid = (): number => Number(readFileSync(file, "utf8"));
  return { path, pid, kill: () => void process.kill(pid(), "SIGKILL") };
}

/** Its result is in the transcript as `"content":"first-result"`. */
export const firstStep = { command: "echo first-result" };

/** Claude performs a step, is killed when the transcript has its result, and then says this. */
export function storyThatKills(sandbox: Sandbox, claude: { kill(): void }, answer = "Went on."): Story {
  return story()
    .callsTool("Bash", firstStep)
    .answers(async () => {
      await untilTranscript(sandbox, `"content":"first-result"`);
      claude.kill();
      return hangs();
    })
    .says(answer);
}

/** Checks that all requests belong to one session and that the resumed model received its whole history. */
export function expectWholeHistory(api: FakeAnthropic, prompt: string): void {
  const resumed = api.mainRequests.at(-1);
  expect(resumed?.conversationText).toContain(prompt);
  expect(resumed?.conversationText).toContain("first-result");
  expect(resumed?.lastText).toContain(restoredHeader);
  expect(new Set(api.mainRequests.map(({ sessionId }) => sessionId)).size).toBe(1);
  expect(api.unexpected).toBeEmpty();
}
