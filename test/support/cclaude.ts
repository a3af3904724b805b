// What the tests of cclaude share: how it is started, a claude that tells its pid, and the record of its last decision.
import { expect } from "bun:test";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LastDecision } from "../../src/store/last-decision.ts";
import type { FakeAnthropic } from "./fake-anthropic.ts";
import { executable } from "./executable.ts";
import type { ClaudeVersion } from "./claude-versions.ts";
import { type AsCustomer, createSandbox, type RunOptions, type Sandbox } from "./sandbox.ts";
import type { Finished } from "./sandbox-process.ts";
import { SnapshotFiles } from "./snapshot-files.ts";

export const skipPermissions = "--dangerously-skip-permissions";
export const restoredMark = "[AI-RUNTIME CONTEXT RESTORED]";

export async function cclaudeSandbox(claude: ClaudeVersion): Promise<Sandbox> {
  const sandbox = await createSandbox({ claude });
  await sandbox.installBinaries(executable);
  return sandbox;
}

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

/** A claude that writes down its pid and then becomes the real one. */
export function tellingClaude(sandbox: Sandbox): { readonly path: string; kill(): void } {
  const path = join(sandbox.root, "telling-claude");
  const pid = join(sandbox.root, "claude-pid");
  writeFileSync(path, `#!/bin/sh\necho $$ > ${pid}\nexec claude "$@"\n`);
  chmodSync(path, 0o755);
  return { path, kill: () => void process.kill(Number(readFileSync(pid, "utf8")), "SIGKILL") };
}

/** One session from beginning to end, and all of it before the model when it is resumed. */
export function expectWholeHistory(api: FakeAnthropic, prompt: string): void {
  const resumed = api.mainRequests.at(-1);
  expect(resumed?.conversationText).toContain(prompt);
  expect(resumed?.conversationText).toContain("first-result");
  expect(resumed?.lastText).toContain(restoredMark);
  expect(new Set(api.mainRequests.map(({ sessionId }) => sessionId)).size).toBe(1);
  expect(api.unexpected).toBeEmpty();
}
