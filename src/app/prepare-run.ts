import type { Signal } from "../core/signal.ts";
import { fileSize } from "../io/read-file.ts";
import type { Environment } from "./environment.ts";
import { findTranscript } from "./find-transcript.ts";
import type { TranscriptEnd } from "./gather-evidence.ts";
import { goBack, type WentBack } from "./go-back.ts";
import { prepareResume } from "./prepare-resume.ts";
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

/** Before a conversation is resumed: that it is whole and nobody else's; after an overload, back to where it fits. */
export async function prepareRun(given: ToPrepare, restore: boolean): Promise<Prepared> {
  const { environment, ledger, view, transcript, wentBack } = given;
  const { sessionId } = ledger.record.plan;
  view.show({ kind: "resuming", cause: ledger.record.status.cause });
  const transcriptPath = findTranscript(environment, sessionId);
  if (transcriptPath === undefined) return { signal: { kind: "ready" }, wentBack };
  const session = { id: sessionId, transcriptPath };
  try {
    if (restore) return await restoreRun(given, session);
    const readiness = await prepareResume(environment, session, transcript?.size ?? fileSize(transcriptPath));
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
