import { findStaleEnd, maxSearchBytes } from "../../claude/repair/stale-end.ts";
import type { RestoreChoice } from "../../core/snapshot/choose-mark.ts";
import { Failure } from "../../core/failure.ts";
import type { Mark } from "../../core/snapshot/mark.ts";
import type { Digest } from "../../core/restart/context-message.ts";
import { makeDirectory, replaceVerified } from "../../io/durable/durable.ts";
import { fileMode, fileSize, forEachChunk, parentOf, resolveLinks, withFile } from "../../io/files/read-file.ts";
import { linesBackwards } from "../../io/files/read-lines-backwards.ts";
import { sweepBeside } from "../../io/durable/sweep-beside.ts";
import { type Backup, backupFile, keepBackup, markDone, nextBackupNumber } from "../../store/snapshots/backups.ts";
import { fileHash } from "../../store/packing/file-hash.ts";
import { HashChain } from "../../store/packing/hash-chain.ts";
import { mirrorHash, withPlainMirror } from "../../store/snapshots/mirror.ts";
import { type Generation, hasSnapshot, type SessionView, viewSession } from "../../store/snapshots/session-view.ts";
import { keepOpenMark } from "../../store/snapshots/snapshots.ts";
import type { Environment } from "../environment.ts";
import { locateTranscript } from "../session/locate-transcript.ts";
import { refuseWhileHeld, withSession } from "../session/session-guard.ts";
import { chooseCut, type Cut, findMark } from "./choose-cut.ts";
import { addRestoreNote, digestCut, dropStrayNotes } from "./restore-note.ts";
import { findSideDamage, restoreSideFiles, type SideFileDamage } from "./side-files.ts";
import { catchUp, heal, snapshotReplaced, takeSnapshot } from "./take-snapshot.ts";

/** Everything a restore does; `--dry-run` prints exactly this. */
export interface RestorePlan {
  sessionId: string;
  target: string;
  /** Where the transcript was when the mark was made; null when that is still its place. */
  movedFrom: string | null;
  generation: number;
  /** Null for a point that was not saved as a mark. */
  mark: Mark | null;
  /** Where the conversation is cut: bytes that stay as they were, and what is known at that point. */
  point: { size: number; lines: number; time: number | null; turn: number | null; contextTokens: number | null };
  /** Null when the transcript does not exist. */
  currentSize: number | null;
  /** Where the current transcript is backed up; null when no backup is needed. */
  backup: string | null;
  /** Missing or damaged side files that the restore puts back. */
  sideFiles: string[];
  /** The transcript is already byte-identical to that. */
  unchanged: boolean;
  /** The last mark of an earlier generation that something other than a restore replaced: the user may want that one instead. */
  earlier: Mark | null;
}

export interface RestoreInput {
  sessionId: string;
  choice: RestoreChoice;
  force: boolean;
  /** The caller tells Claude what came after the point. Otherwise the hook does, when the session is resumed. */
  tellsClaude?: boolean;
}

export interface RestoreResult {
  plan: RestorePlan;
  backup: Backup | undefined;
  /** What came after the point; undefined when nothing did. */
  after: Digest | undefined;
}

/** A plan, and what is needed to carry it out. */
export interface PreparedRestore {
  plan: RestorePlan;
  cut: Cut;
  /** Text after the cut: a note of where the conversation ends. */
  ending: string;
  /** Of the whole result. */
  hash: string;
  sideDamage: SideFileDamage[];
}

export const planRestore = (environment: Environment, { sessionId, choice }: RestoreInput): RestorePlan =>
  prepareRestore(environment, sessionId, choice).plan;

/** `copied`: see `chooseCut`. */
export function prepareRestore(
  environment: Environment,
  sessionId: string,
  choice: RestoreChoice,
  { copied = false } = {},
): PreparedRestore {
  const { paths } = environment;
  const recordedView = readView(environment, sessionId);
  const transcriptPath = locateTranscript(environment, sessionId, recordedView.transcriptPath);
  const view = { ...recordedView, transcriptPath: transcriptPath ?? recordedView.transcriptPath };
  const cut = chooseCut(environment, view, choice, { copied });
  const current = view.generations.at(-1);
  const generation = "transcript" in cut.source ? current : cut.source;
  const recorded = generation?.transcriptPath || view.transcriptPath;
  const place = locateTranscript(environment, sessionId, recorded);
  if (!place) throw new Failure("not-found", `the transcript path of session ${sessionId} is unknown`);
  const target = resolveLinks(place);
  verifySource(cut);
  const { ending, hash } = withSource(cut, (path) => finishCut(path, cut));
  const currentSize = fileSize(target) ?? null;
  const size = cut.size + Buffer.byteLength(ending);
  const unchanged = currentSize === size && fileHash(target) === hash;
  const number = nextBackupNumber(paths, sessionId);
  const sideDamage = findSideDamage(environment, sessionId, target);
  const { lines, time, turn, tokens: contextTokens } = cut;
  const plan: RestorePlan = {
    sessionId,
    target,
    movedFrom: !recorded || resolveLinks(recorded) === target ? null : recorded,
    generation: generation?.number ?? 1,
    mark: cut.mark,
    point: { size: cut.size, lines, time, turn, contextTokens },
    currentSize,
    backup: currentSize === null || unchanged ? null : backupFile(paths, { sessionId, number }),
    sideFiles: sideDamage.flatMap(({ name, copy }) => (copy ? [name] : [])),
    unchanged,
    // Reported even when nothing changes: the current transcript may be a stub that replaced the real conversation.
    earlier: generation ? findEarlierMark(view, generation) : null,
  };
  return { plan, cut, ending, hash, sideDamage };
}

/** Verifies the copy, backs up the current transcript, replaces it, and verifies the result. */
export function restoreSession(environment: Environment, request: RestoreInput): Promise<RestoreResult> {
  const { paths, now } = environment;
  const { sessionId, tellsClaude = false } = request;
  return withSession(environment, sessionId, () => {
    if (!request.force) refuseWhileHeld(environment, sessionId);
    const choice = copyTranscript(environment, sessionId, request.choice);
    const { plan, cut, ending, hash, sideDamage } = prepareRestore(environment, sessionId, choice, { copied: true });
    const { target } = plan;
    sweepBeside(target, now());
    restoreSideFiles(environment, sessionId, target, sideDamage);
    if (plan.unchanged) return { plan, backup: undefined, after: undefined };
    const time = now();
    const backup = keepBackup(paths, { sessionId, kind: "restore", target, replacement: hash, now: time });
    const replaced = backupFile(paths, backup);
    const after = withSource(cut, (path) => {
      // Only a transcript that continues the restored one has something after it.
      const isContinued = backup.kept !== null && fileHash(replaced, cut.size) === fileHash(path, cut.size);
      const digest = isContinued ? digestCut(environment, sessionId, replaced, cut.size) : undefined;
      const size = cut.size + Buffer.byteLength(ending);
      if (digest) addRestoreNote(environment, sessionId, { time, size, hash, digest, told: tellsClaude });
      putInPlace(path, cut.size, target, { ending, hash });
      return digest;
    });
    verifyWritten(target, hash, replaced);
    markDone(paths, backup);
    snapshotReplaced(environment, sessionId, target, "restore");
    dropStrayNotes(environment, sessionId, target);
    return { plan, backup, after };
  });
}

/** Copies what the transcript has beyond our copy, so that any point of it can be restored and nothing is lost. */
function copyTranscript(environment: Environment, sessionId: string, choice: RestoreChoice): RestoreChoice {
  const transcriptPath = locateTranscript(environment, sessionId, heal(environment, sessionId).transcriptPath);
  if (choice.kind === "fit" || choice.kind === "turn") {
    if (transcriptPath) takeSnapshot(environment, { sessionId, transcriptPath, reason: "before-restore" });
    return choice;
  }
  // The mark is chosen first, because catchUp saves newer lines as an extra mark that the user did not ask for.
  const { n } = findMark(readView(environment, sessionId), choice);
  keepOpenMark(environment.paths, sessionId);
  catchUp(environment, sessionId, "before-restore");
  return { kind: "number", n };
}

/** A cut in mid-turn may point to an end that is no longer in it; claude would resume at an earlier place. */
function finishCut(path: string, { size, isShorter }: Cut): { ending: string; hash: string } {
  const finished = withFile(path, ({ fd }) => {
    const note = isShorter ? findStaleEnd(linesBackwards(fd, size, maxSearchBytes))?.note : undefined;
    const ending = note === undefined ? "" : `${note}\n`;
    const chain = HashChain.empty();
    forEachChunk(fd, 0, size, (bytes) => chain.feed(bytes));
    chain.feed(new TextEncoder().encode(ending));
    return { ending, hash: chain.digest() };
  });
  if (!finished) throw new Failure("corrupt", `${path} no longer exists`);
  return finished;
}

export const withSource = <T>({ source, size }: Cut, work: (path: string) => T): T =>
  "transcript" in source ? work(source.transcript) : withPlainMirror(source, size, work);

/** Replaces the target with the first `size` bytes of the source and the ending; the target keeps its mode. */
export function putInPlace(
  source: string,
  size: number,
  target: string,
  { ending = "", hash }: { ending?: string; hash: string },
): void {
  makeDirectory(parentOf(target), { shared: true });
  const mode = fileMode(target) ?? 0o600;
  const text = new TextEncoder().encode(ending);
  const verify = (staged: string): void => {
    if (fileHash(staged) !== hash) throw new Failure("corrupt", `${source} has changed; nothing was changed`);
  };
  const written = withFile(source, ({ fd }) => {
    const parts = [
      { source: fd, from: 0, to: size },
      { source: text, from: 0, to: text.length },
    ];
    replaceVerified(target, parts, { mode, verify });
    return true;
  });
  if (!written) throw new Failure("corrupt", `${source} no longer exists`);
}

export function verifyWritten(target: string, hash: string, kept: string): void {
  if (fileHash(target) === hash) return;
  throw new Failure("failed", `${target} differs from what was written to it; another program writes to it`, {
    hint: `The previous content is kept in ${kept}.`,
  });
}

function readView({ paths }: Environment, sessionId: string): SessionView {
  const view = viewSession(paths, sessionId);
  if (view) return view;
  if (hasSnapshot(paths, sessionId)) {
    throw new Failure("corrupt", `the state of session ${sessionId} cannot be read: ${paths.state(sessionId)}`, {
      hint: `The copy contains complete transcript lines and can be used manually: ${paths.mirror(sessionId)}`,
    });
  }
  throw new Failure("not-found", `there is no snapshot of session ${sessionId}`);
}

function findEarlierMark({ generations }: SessionView, chosen: Generation): Mark | null {
  const lost = generations.findLast(
    ({ number, ended, marks }) => number < chosen.number && ended && ended.why !== "restored" && marks.length > 0,
  );
  return lost?.marks.at(-1) ?? null;
}

/** A mark's hash covers everything before it, so the first mark after the cut verifies the cut. */
function verifySource({ source, size }: Cut): void {
  if ("transcript" in source) return;
  const mark = source.marks.find((each) => each.size >= size);
  if (mark && mirrorHash(source, mark.size) === mark.hash) return;
  throw new Failure(
    "corrupt",
    `the copy ${source.mirrorPath} has changed since mark ${mark?.n ?? "?"}; nothing was changed`,
    { hint: "An older mark may still be intact: see session-snapshot list, and choose one with --to." },
  );
}
