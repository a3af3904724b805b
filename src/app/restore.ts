import { sideDirectory } from "../claude/paths.ts";
import { chooseMark, type MarkChoice } from "../core/choose-mark.ts";
import { Failure } from "../core/failure.ts";
import type { Mark } from "../core/mark.ts";
import { makeDirectory, replaceFile } from "../io/durable.ts";
import { fileMode, fileSize, parentOf, resolveLinks, withFile } from "../io/read-file.ts";
import { sweepBeside } from "../io/sweep-beside.ts";
import { type Backup, backupFile, keepBackup, markDone, nextBackupNumber } from "../store/backups.ts";
import { fileHash } from "../store/file-hash.ts";
import { mirrorHash, withPlainMirror } from "../store/mirror.ts";
import { missingSideFiles, restoreSideFiles } from "../store/side-files.ts";
import { allMarks, type Generation, type SessionView, viewSession } from "../store/session-view.ts";
import type { Environment } from "./environment.ts";
import { findTranscript } from "./find-transcript.ts";
import { refuseWhileLive, withSession } from "./session-guard.ts";
import { catchUp, heal, startOver } from "./snapshot.ts";

/** Everything a restore would do; `--dry-run` prints exactly this. */
export interface RestorePlan {
  sessionId: string;
  target: string;
  generation: number;
  mark: Mark;
  /** Null when there is no transcript now. */
  currentSize: number | null;
  /** Where the present transcript will be kept; null when there is none. */
  backup: string | null;
  /** Side files that are missing and will be put back. */
  sideFiles: string[];
  /** The transcript is already, byte for byte, what it would become. */
  unchanged: boolean;
  /** The last mark of an earlier generation that ended without our doing, for whoever meant that one. */
  earlier: Mark | null;
}

export interface RestoreRequest {
  sessionId: string;
  choice: MarkChoice;
  force: boolean;
}

export function planRestore(environment: Environment, request: RestoreRequest): RestorePlan {
  const { paths } = environment;
  const { sessionId } = request;
  const view = readView(environment, sessionId);
  const mark = findMark(view, request.choice);
  const generation = generationOf(view, mark);
  const place = generation.transcriptPath || view.transcriptPath || findTranscript(environment, sessionId);
  if (!place) throw new Failure("not-found", `where the transcript of session ${sessionId} was is not known`);
  const target = resolveLinks(place);
  verifyMirror(generation, mark);
  const currentSize = fileSize(target) ?? null;
  const number = nextBackupNumber(paths, sessionId);
  const unchanged = currentSize === mark.size && fileHash(target) === mark.hash;
  return {
    sessionId,
    target,
    generation: generation.number,
    mark,
    currentSize,
    backup: currentSize === null || unchanged ? null : backupFile(paths, { sessionId, number }),
    sideFiles: missingSideFiles(paths.sideFiles(sessionId), sideDirectory(target)),
    unchanged,
    // Also when the transcript is as it should be: that may be the stub that took the place of all the rest.
    earlier: earlierLife(view, generation),
  };
}

export interface RestoreResult {
  plan: RestorePlan;
  backup: Backup | undefined;
}

/** Puts a transcript back: verified before, kept before, verified after. */
export function restoreSession(environment: Environment, request: RestoreRequest): Promise<RestoreResult> {
  const { paths, now } = environment;
  const { sessionId } = request;
  return withSession(environment, sessionId, () => {
    if (!request.force) refuseWhileLive(environment, sessionId);
    heal(environment, sessionId);
    // Chosen first: what the transcript has beyond its last mark becomes a mark of its own before anything is replaced,
    // but that is not the one that was asked for.
    const mark = findMark(readView(environment, sessionId), request.choice);
    catchUp(environment, sessionId, "before-restore");
    const plan = planRestore(environment, { ...request, choice: { kind: "number", n: mark.n } });
    sweepBeside(plan.target, now());
    restoreSideFiles(paths.sideFiles(sessionId), sideDirectory(plan.target));
    if (plan.unchanged) return { plan, backup: undefined };
    const replacement = plan.mark.hash;
    const backup = keepBackup(paths, { sessionId, kind: "restore", target: plan.target, replacement, now: now() });
    const generation = generationOf(readView(environment, sessionId), plan.mark);
    withPlainMirror(generation, plan.mark.size, (path) => putInPlace(path, plan.mark.size, plan.target));
    verifyWritten(plan.target, plan.mark.hash, backupFile(paths, backup));
    markDone(paths, backup);
    startOver(environment, sessionId, plan.target, "restore");
    return { plan, backup };
  });
}

/** The first `size` bytes of a file, in the place of another, which keeps its mode. */
export function putInPlace(source: string, size: number, target: string): void {
  makeDirectory(parentOf(target), { shared: true });
  const mode = fileMode(target) ?? 0o600;
  const written = withFile(source, ({ fd }) => {
    replaceFile(target, { source: fd, from: 0, to: size }, { mode });
    return true;
  });
  if (!written) throw new Failure("corrupt", `${source} is gone`);
}

export function verifyWritten(target: string, hash: string, kept: string): void {
  if (fileHash(target) === hash) return;
  throw new Failure("failed", `${target} is not what was written to it; something else writes there`, {
    hint: `What was there before is kept in ${kept}.`,
  });
}

function readView({ paths }: Environment, sessionId: string): SessionView {
  const view = viewSession(paths, sessionId);
  if (view === "none") throw new Failure("not-found", `there is no snapshot of session ${sessionId}`);
  if (view === "unreadable") {
    throw new Failure("corrupt", `the state of session ${sessionId} cannot be read: ${paths.state(sessionId)}`, {
      hint: `Its copy is whole lines of the transcript and can be used by hand: ${paths.mirror(sessionId)}`,
    });
  }
  return view;
}

function findMark(view: SessionView, choice: MarkChoice): Mark {
  const mark = chooseMark(choice, { all: allMarks(view), current: view.generations.at(-1)?.marks ?? [] });
  if (mark) return mark;
  const why = {
    newest: "it has no mark yet",
    number: `it has no mark ${choice.kind === "number" ? choice.n : ""}`,
    fit: "no mark is known to fit half the context",
    before: "no mark is that old",
  }[choice.kind];
  throw new Failure("not-found", `session ${view.sessionId}: ${why}`, {
    hint: `See session-snapshot list ${view.sessionId}.`,
  });
}

function earlierLife({ generations }: SessionView, chosen: Generation): Mark | null {
  const lost = generations.findLast(
    ({ number, ended, marks }) => number < chosen.number && ended && ended.why !== "restored" && marks.length > 0,
  );
  return lost?.marks.at(-1) ?? null;
}

function generationOf(view: SessionView, mark: Mark): Generation {
  const found = view.generations.find((generation) => generation.marks.some(({ n }) => n === mark.n));
  if (!found) throw new Failure("corrupt", `mark ${mark.n} belongs to no generation`);
  return found;
}

function verifyMirror(generation: Generation, mark: Mark): void {
  if (mirrorHash(generation, mark.size) === mark.hash) return;
  throw new Failure(
    "corrupt",
    `the copy ${generation.mirrorPath} is not what it was at mark ${mark.n}; nothing was changed`,
    {
      hint: "An older mark may still be whole: see session-snapshot list, and give one with --to.",
    },
  );
}
