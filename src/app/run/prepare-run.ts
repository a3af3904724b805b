import type { Signal } from "../../core/restart/signal.ts";
import { fileSize } from "../../io/files/read-file.ts";
import type { Environment } from "../environment.ts";
import { findTranscript } from "../session/find-transcript.ts";
import type { TranscriptEnd } from "../session/transcript-end.ts";
import { type EnsuredConversation, ensureConversation } from "../resume/ensure-conversation.ts";
import { prepareResume } from "../resume/prepare-resume.ts";
import { findRestartMode } from "../resume/restart-mode.ts";
import { type RestoreToFit, restoreToFit } from "../resume/restore-to-fit.ts";
import type { ColdResume } from "../cost/cold-resume.ts";
import type { RunLedger } from "../run-records/run-ledger.ts";
import { considerCost } from "./consider-cost.ts";
import type { RunView } from "./run-events.ts";
import { messageOf } from "../../core/message-of.ts";

export interface ToPrepare {
  readonly environment: Environment;
  readonly ledger: RunLedger;
  readonly view: RunView;
  /** As the last attempt left it. */
  readonly transcript: TranscriptEnd | undefined;
  /** The last restore after an overload in this run. */
  readonly lastRestore: RestoreToFit | undefined;
  readonly cold: ColdResume;
}

export interface Prepared {
  readonly signal: Signal;
  readonly lastRestore: RestoreToFit | undefined;
  /** Of the next attempt; undefined for that of the run's flags. */
  readonly permissionMode: string | undefined;
}

/** Makes sure before a resume that the conversation is present, whole and not open elsewhere; after an overload, restores it. */
export async function prepareRun(given: ToPrepare, restore: boolean): Promise<Prepared> {
  const ensured = await ensure(given);
  const permissionMode = chooseMode(given);
  return { ...(await prepareConversation(given, ensured, restore)), permissionMode };
}

function chooseMode({ environment, ledger, view }: ToPrepare): string | undefined {
  const { flags, sessionId, created } = ledger.record.plan;
  const found = findRestartMode(flags, findTranscript(environment, sessionId), created);
  if (found?.isStricter) view.show({ kind: "stricter-mode", mode: found.mode });
  return found?.mode;
}

type PreparedConversation = Omit<Prepared, "permissionMode">;

async function prepareConversation(
  given: ToPrepare,
  ensured: EnsuredConversation["kind"],
  restore: boolean,
): Promise<PreparedConversation> {
  const { environment, ledger, view, transcript, lastRestore } = given;
  const { sessionId } = ledger.record.plan;
  if (ensured === "open-elsewhere") return { signal: { kind: "unready", why: "went-on-elsewhere" }, lastRestore };
  const hasConversation = ensured === "present" || ensured === "restored";
  if (hasConversation) view.show({ kind: "resuming", cause: ledger.record.status.cause });
  const transcriptPath = findTranscript(environment, sessionId);
  if (transcriptPath === undefined || !hasConversation) return { signal: { kind: "ready" }, lastRestore };
  const session = { id: sessionId, transcriptPath };
  const sizeAtEnd = ensured === "present" ? transcript?.size : undefined;
  try {
    if (restore) return await restoreRun(given, session);
    const readiness = await prepareResume(environment, session, sizeAtEnd ?? fileSize(transcriptPath));
    if (readiness === "went-on-elsewhere") return { signal: { kind: "unready", why: readiness }, lastRestore };
    if (readiness === "repaired") {
      ledger.note("repaired", {});
      view.show({ kind: "repaired" });
    }
    const consent = await considerCost(environment, view, given.cold, transcriptPath);
    if (consent.kind === "stop") return { signal: { kind: "interrupted" }, lastRestore };
    if (consent.kind === "restore") {
      const smaller = await restoreRun(given, session, consent.maxTokens);
      if (smaller.signal.kind === "ready") given.cold.assess(transcriptPath);
      // Without such a point, the whole conversation is better than none.
      return { ...smaller, signal: { kind: "ready" } };
    }
  } catch (error) {
    // A transcript that cannot be checked is resumed as it is; a failed restore has not changed it.
    view.show({ kind: "trouble", message: messageOf(error) });
  }
  return { signal: { kind: "ready" }, lastRestore };
}

/** Brings back a lost conversation, and reports it. */
async function ensure({ environment, ledger, view }: ToPrepare): Promise<EnsuredConversation["kind"]> {
  const trouble = (message: string): void => view.show({ kind: "trouble", message });
  try {
    const ensured = await ensureConversation(environment, ledger.record.plan.sessionId);
    if (ensured.kind === "restored") {
      ledger.note("restored", { mark: ensured.mark.n });
      const { open, n, size } = ensured.mark;
      trouble(`the transcript was lost; restored it from its snapshot (${open ? `all ${size} bytes` : `mark ${n}`})`);
    } else if (ensured.kind === "set-aside") {
      ledger.note("set-aside", {});
      trouble("no conversation is left of the last attempt; starting the task again");
    }
    return ensured.kind;
  } catch (error) {
    // Resumes what is there: claude reports what it finds.
    trouble(messageOf(error));
    return "present";
  }
}

async function restoreRun(
  { environment, ledger, view, lastRestore }: ToPrepare,
  session: { readonly id: string; readonly transcriptPath: string },
  maxTokens?: number,
): Promise<PreparedConversation> {
  const restore = await restoreToFit(environment, session, lastRestore, maxTokens);
  if (!restore) return { signal: { kind: "unready", why: "no-restore-point" }, lastRestore };
  const { turn, time, mark } = restore;
  ledger.note("restored", { mark, turn });
  view.show({ kind: "restored", turn, time, mark });
  return { signal: { kind: "ready" }, lastRestore: restore };
}
