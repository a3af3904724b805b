import type { Signal } from "../core/signal.ts";
import { fileSize } from "../io/read-file.ts";
import type { Environment } from "./environment.ts";
import { findTranscript } from "./find-transcript.ts";
import type { TranscriptEnd } from "./gather-evidence.ts";
import { goBack, type WentBack } from "./go-back.ts";
import { prepareResume } from "./prepare-resume.ts";
import { type Regained, regainConversation } from "./regain-conversation.ts";
import type { RunLedger } from "./run-ledger.ts";
import type { RunView } from "./run-view.ts";

export interface ToPrepare {
  readonly environment: Environment;
  readonly ledger: RunLedger;
  readonly view: RunView;
  /** As the last start left it. */
  readonly transcript: TranscriptEnd | undefined;
  /** Where the restore before led to. */
  readonly wentBack: WentBack | undefined;
}

export interface Prepared {
  readonly signal: Signal;
  readonly wentBack: WentBack | undefined;
}

/** Before a conversation is resumed: that it is there, whole and nobody else's; after an overload, back to where it fits. */
export async function prepareRun(given: ToPrepare, restore: boolean): Promise<Prepared> {
  const { environment, ledger, view, transcript, wentBack } = given;
  const { sessionId } = ledger.record.plan;
  const regained = await regain(given);
  const hasConversation = regained === "there" || regained === "restored";
  if (hasConversation) view.show({ kind: "resuming", cause: ledger.record.status.cause });
  const transcriptPath = findTranscript(environment, sessionId);
  if (transcriptPath === undefined || !hasConversation) return { signal: { kind: "ready" }, wentBack };
  const session = { id: sessionId, transcriptPath };
  const sizeAtEnd = regained === "there" ? transcript?.size : undefined;
  try {
    if (restore) return await restoreRun(given, session);
    const readiness = await prepareResume(environment, session, sizeAtEnd ?? fileSize(transcriptPath));
    if (readiness === "went-on-elsewhere") return { signal: { kind: "unready", why: readiness }, wentBack };
    if (readiness === "repaired") {
      ledger.note("repaired", {});
      view.show({ kind: "repaired" });
    }
  } catch (error) {
    // What cannot be checked is resumed as it is; a restore that failed has left the transcript alone.
    view.show({ kind: "trouble", message: error instanceof Error ? error.message : String(error) });
  }
  return { signal: { kind: "ready" }, wentBack };
}

/** Says what it did: a conversation that was lost is back, or there was none and the task begins anew. */
async function regain({ environment, ledger, view }: ToPrepare): Promise<Regained["kind"]> {
  const trouble = (message: string): void => view.show({ kind: "trouble", message });
  try {
    const regained = await regainConversation(environment, ledger.record.plan.sessionId);
    if (regained.kind === "restored") {
      ledger.note("restored", { mark: regained.mark.n });
      trouble(`the transcript was lost; it is back from its snapshot, as at mark ${regained.mark.n}`);
    } else if (regained.kind === "set-aside") {
      ledger.note("set-aside", {});
      trouble("claude had ended before its conversation began; what it left is kept, and the task begins anew");
    }
    return regained.kind;
  } catch (error) {
    // What cannot be brought back is begun as it stands: claude itself says what it finds.
    trouble(error instanceof Error ? error.message : String(error));
    return "there";
  }
}

async function restoreRun(
  { environment, ledger, view, transcript, wentBack }: ToPrepare,
  session: { readonly id: string; readonly transcriptPath: string },
): Promise<Prepared> {
  const contextTokens = transcript?.contextTokens ?? null;
  const finalError = transcript?.ending.finalError ?? null;
  const went = await goBack(environment, session, { contextTokens, finalError }, wentBack);
  if (!went) return { signal: { kind: "unready", why: "no-restore-point" }, wentBack };
  ledger.note("restored", { mark: went.mark.n });
  view.show({ kind: "restored", mark: went.mark.n, time: went.mark.time });
  return { signal: { kind: "ready" }, wentBack: went };
}
