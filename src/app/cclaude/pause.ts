import type { EndDecision, EndingRules } from "../../core/restart/ending.ts";
import type { FinalError } from "../../core/restart/final-error.ts";
import type { ChildEnd } from "../../io/process/run-child.ts";
import type { Settings } from "../../core/settings.ts";
import { waitUntil } from "../../io/wait-until.ts";
import type { Gathered } from "../resume/gather-evidence.ts";
import type { RecoveryEvent } from "../resume/recovery-events.ts";
import type { Announcer } from "./announcer.ts";

interface Pause {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly announce: (event: RecoveryEvent) => void;
  readonly countdown: Announcer["countdown"];
}

/** A user at the terminal waits for the restart; a script does not mind. */
const defaultRetrySeconds = { interactive: 1, print: 5 };

export function delaysOf(settings: Settings, interactive: boolean): Pick<EndingRules, "firstDelay" | "unknownLimit"> {
  const { cclaudeRetrySeconds, waitSeconds } = settings;
  const retrySeconds = cclaudeRetrySeconds ?? defaultRetrySeconds[interactive ? "interactive" : "print"];
  return { firstDelay: 1_000 * retrySeconds, unknownLimit: 1_000 * waitSeconds };
}

/** Waits before the next attempt. Returns false when the user ended the wait. */
export async function pauseBeforeRestart(
  { action, cause }: EndDecision,
  gathered: Gathered,
  end: ChildEnd,
  { now, announce, countdown: show }: Pause,
): Promise<boolean> {
  if (action.kind === "resume") {
    const how = end.signal ?? `exit code ${end.exitCode}`;
    const until = now + action.delay;
    announce({ kind: "backing-off", cause: cause === "server" ? "server" : "crash", how, until });
    return (await waitUntil(until)) === "reached";
  }
  if (action.kind !== "wait") return true;
  const { of, behind } = finalLimitOf(gathered) ?? {};
  announce({ kind: "waiting", until: action.until, known: action.known, of, behind });
  const countdown = show(action.until);
  const waited = await waitUntil(action.until, countdown ? { onTick: (left) => countdown.tick(left) } : {});
  countdown?.end(waited === "reached");
  if (waited === "reached") announce({ kind: "resuming", cause: "limit" });
  return waited === "reached";
}

export const finalLimitOf = ({
  evidence: { finalError },
}: Gathered): Extract<FinalError, { kind: "limit" }> | undefined =>
  finalError?.kind === "limit" ? finalError : undefined;
