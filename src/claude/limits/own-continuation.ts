import { canClaude, parseClaudeVersion } from "../versions.ts";

/** Clients that continue on their own were seen to do so 80 to 110 seconds after the reset. */
const ownContinuationMs = 180_000;

/**
 * How long after a limit's reset the client may still continue on its own; 0 when it never does. An unknown version may.
 * `version` is the one that the client writes into its transcript.
 */
export function mayContinueForMs(version: string | undefined): number {
  const parsed = parseClaudeVersion(version ?? "");
  return parsed && !canClaude(parsed, "continuesAfterLimit") ? 0 : ownContinuationMs;
}
