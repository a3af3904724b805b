import type { Mark } from "../../core/snapshot/mark.ts";
import { removeFile } from "../../io/durable/durable.ts";
import { keepBackup, markDone } from "../../store/snapshots/backups.ts";
import { withPlainMirror } from "../../store/snapshots/mirror.ts";
import { type Generation, hasSnapshot, viewSession } from "../../store/snapshots/session-view.ts";
import type { Environment } from "../environment.ts";
import { findHolder } from "../session/find-holder.ts";
import { findTranscript } from "../session/find-transcript.ts";
import { restoreSession } from "../snapshot/restore.ts";
import { withSession } from "../session/session-guard.ts";
import { readTranscriptEnding } from "../session/transcript-end.ts";
import { snapshotReplaced } from "../snapshot/take-snapshot.ts";
import { reportsNoConversation } from "../repair/repair-before-resume.ts";
import { verifyTranscript } from "../repair/verify.ts";
import { repairIfSafe } from "./prepare-resume.ts";

export type EnsuredConversation =
  | { readonly kind: "present" }
  /** The transcript was gone or empty, and is restored from its snapshot. */
  | { readonly kind: "restored"; readonly mark: Mark }
  /**
   * Claude died before a conversation began, or no word of it is left. Its file is in the backups, because Claude refuses to start
   * under an id that has a file.
   */
  | { readonly kind: "set-aside" }
  /** It is lost, but another process has it open and may still write it, so nothing is restored. */
  | { readonly kind: "open-elsewhere" }
  | { readonly kind: "absent" };

/** Restores a lost conversation before its session is resumed: Claude deletes old transcripts, and a power cut can empty one. */
export async function ensureConversation(environment: Environment, sessionId: string): Promise<EnsuredConversation> {
  const path = findTranscript(environment, sessionId);
  if (path !== undefined && hasConversation(environment, path)) return { kind: "present" };
  if (findHolder(environment, sessionId, path) !== undefined) return { kind: "open-elsewhere" };
  const mark = newestMarkWithConversation(environment, sessionId);
  if (mark) {
    await restoreSession(environment, { sessionId, choice: { kind: "number", n: mark.n }, force: false });
    return { kind: "restored", mark };
  }
  if (path === undefined) return { kind: "absent" };
  // A repair may bring back the conversation of a damaged file.
  if (!isStub(environment, sessionId, path)) {
    await repairIfSafe(environment, sessionId);
    if (hasConversation(environment, path)) return { kind: "present" };
  }
  await setAside(environment, sessionId, path);
  return { kind: "set-aside" };
}

const hasConversation = (environment: Environment, path: string, maxSize = Infinity): boolean =>
  readTranscriptEnding(environment, path, { maxSize })?.spoken ?? false;

function newestMarkWithConversation(environment: Environment, sessionId: string): Mark | undefined {
  const view = viewSession(environment.paths, sessionId);
  if (!view) return undefined;
  const isUsable = (generation: Generation): boolean =>
    generation.marks.length > 0 &&
    withPlainMirror(generation, generation.size, (path) => hasConversation(environment, path, generation.size));
  return view.generations.findLast(isUsable)?.marks.at(-1);
}

/** The file holds only bookkeeping, or nothing. */
function isStub(environment: Environment, sessionId: string, path: string): boolean {
  const { defects, more } = verifyTranscript(environment, { path, sessionId, isOwn: true });
  return reportsNoConversation(defects) && more === 0 && defects.every(({ kind }) => harmless.has(kind));
}

const harmless = new Set<string>(["empty-file", "stub-file", "torn-tail"]);

function setAside(environment: Environment, sessionId: string, path: string): Promise<void> {
  const { paths, now } = environment;
  return withSession(environment, sessionId, () => {
    const backup = keepBackup(paths, { sessionId, kind: "repair", target: path, replacement: null, now: now() });
    removeFile(path);
    markDone(paths, backup);
    if (hasSnapshot(paths, sessionId)) snapshotReplaced(environment, sessionId, path, "repair");
  });
}
