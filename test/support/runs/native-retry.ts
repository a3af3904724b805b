// Shared by the tests of clients that wait inside their own process.
import { describe } from "bun:test";
import { join } from "node:path";
import { claudeFile, rememberVersion } from "../../../src/store/cclaude/claude-versions.ts";
import { SnapshotPaths } from "../../../src/store/snapshots/snapshot-paths.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { SnapshotFiles } from "../worlds/snapshot-files.ts";
import type { FakeAnthropic } from "../anthropic/fake-anthropic.ts";
import type { LimitReached } from "../anthropic/limit-headers.ts";
import { story, type Story } from "../anthropic/scenario.ts";
import { claudeVersions, type ClaudeVersion } from "../sandbox/claude-versions.ts";
import { step } from "./runs.ts";

/** Lets our programs use the client's own retries, as they do by default. */
export const nativeRetry = { AI_RUNTIME_NATIVE_RETRY: "on" };

/** Every case with every version takes minutes: `E2E=full bun test test/e2e/native-retry`. Otherwise each case runs with one. */
export const isLeftOut = (version: ClaudeVersion, chosen: ClaudeVersion | undefined): boolean =>
  process.env["E2E"] !== "full" && version !== chosen;

/** Declares the same tests for each pinned client that can wait inside its process. */
export function forEachRetryingClaude(declare: (version: ClaudeVersion) => void): void {
  for (const version of claudeVersions.filter((each) => each !== "2.1.36")) {
    describe(`Claude Code ${version}`, () => declare(version));
  }
}

/** As after an earlier start of this claude. */
export function knowVersion(sandbox: Sandbox, version: ClaudeVersion, claude = join(sandbox.binDir, "claude")): void {
  const { root } = new SnapshotFiles(sandbox);
  const file = claudeFile(claude);
  if (file) rememberVersion(new SnapshotPaths(root), file, version);
}

/** A limit between two steps. */
export const limitStory = (limit: LimitReached): Story =>
  story().callsTool("Bash", step("one")).fails.limit(limit).callsTool("Bash", step("two")).says("All done.");

/** More failures between two steps than the client retries by default in the tests. */
export const stormStory = (): Story =>
  story()
    .callsTool("Bash", step("one"))
    .fails.overloaded({ times: 2 })
    .callsTool("Bash", step("two"))
    .says("All done.");

/** When the limit of the story resets, in milliseconds since 1970. */
export function resetOf(api: FakeAnthropic): number {
  const refused = api.mainRequests.map(({ answer }) => answer).find((answer) => answer?.kind === "failure");
  return 1_000 * Number(refused?.headers["anthropic-ratelimit-unified-reset"]);
}

/** Whether every request after the refused one came after the reset that the refusal stated. */
export function afterReset(api: FakeAnthropic): boolean {
  const refused = api.mainRequests.findIndex(({ answer }) => answer?.kind === "failure");
  const later = api.mainRequests.slice(refused + 1);
  return later.length > 0 && later.every(({ time }) => time >= resetOf(api));
}
