import type { EndDecision } from "../../core/restart/ending.ts";
import type { RecoveryStop } from "../resume/recovery-events.ts";

/** What cclaude reports when it does not restart claude; undefined when claude's own output says enough. */
export function exitEvent({ cause }: EndDecision, exitCode: number, message?: string): RecoveryStop | undefined {
  if (cause === "authentication" || cause === "permission" || cause === "billing") return { kind: cause, message };
  return cause === "not-started" && exitCode === 1 ? { kind: cause, complaint: undefined } : undefined;
}
