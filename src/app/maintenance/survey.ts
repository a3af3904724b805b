import type { HeldGeneration, HeldSession } from "../../core/snapshot/retention.ts";
import { fileFacts, fileSize, listDirectory } from "../../io/files/read-file.ts";
import { readLatest } from "../../store/snapshots/read-latest.ts";
import { listSessionFiles } from "../../store/snapshots/removal.ts";
import { packedPath } from "../../store/snapshots/snapshot-paths.ts";
import { type Generation, listSessionIds, viewSession } from "../../store/snapshots/session-view.ts";
import type { Environment } from "../environment.ts";
import { type Holder, type HolderFinder, holderFinder } from "../session/find-holder.ts";
import { type TranscriptLocator, transcriptLocator } from "../session/locate-transcript.ts";

export interface SurveyedSession extends HeldSession {
  project: string;
  /** What has the session open. */
  holder: Holder | undefined;
  /** Generations that have a plain and a packed file, because packing was killed half-way. */
  doubled: number[];
}

/** Disk use and last use of every session. */
export function surveySessions(environment: Environment): SurveyedSession[] {
  const listed = listOnce(environment);
  return listSessionIds(environment.paths).map((id) => surveySession(environment, id, listed));
}

interface Listed {
  /** The names in generations/. */
  readonly generations: readonly string[];
  readonly locate: TranscriptLocator;
  readonly findHolder: HolderFinder;
}

const listOnce = (environment: Environment): Listed => ({
  generations: listDirectory(environment.paths.generations),
  locate: transcriptLocator(environment),
  findHolder: holderFinder(environment),
});

export function surveySession(
  environment: Environment,
  sessionId: string,
  { generations: names, locate, findHolder }: Listed = listOnce(environment),
): SurveyedSession {
  const { paths } = environment;
  const isLatest = readLatest(paths)?.sessionId === sessionId;
  const files = listSessionFiles(paths, sessionId, names);
  const total = files.reduce((sum, path) => sum + (fileSize(path) ?? 0), 0);
  const view = viewSession(paths, sessionId);
  const place = locate(sessionId, view?.transcriptPath);
  const holder = findHolder(sessionId, view?.transcriptPath);
  const isHeld = holder !== undefined;
  if (!view) {
    // An unreadable session is treated as the only copy, and its files give its age.
    const lastUse = Math.max(0, ...files.map((path) => fileFacts(path)?.modified ?? 0));
    const nothing = { generations: [], doubled: [], transcriptExists: false, project: "?" };
    return { ...nothing, sessionId, otherBytes: total, lastUse, holder, isHeld, isLatest };
  }
  const generations = view.generations.map(surveyGeneration);
  const transcript = place === undefined ? undefined : fileFacts(place);
  return {
    sessionId,
    project: view.cwd ?? view.transcriptPath.split(/[\\/]/).at(-2) ?? "?",
    generations,
    otherBytes: total - generations.reduce((sum, { bytes }) => sum + bytes, 0),
    lastUse: Math.max(transcript?.modified ?? 0, ...generations.map(({ lastUse }) => lastUse)),
    holder,
    isHeld,
    transcriptExists: transcript !== undefined,
    isLatest,
    doubled: view.generations.filter(({ mirrorPath, packed }) => hasSurplus(mirrorPath, packed)).map((g) => g.number),
  };
}

function surveyGeneration({ number, mirrorPath, packed, marks, ended }: Generation): HeldGeneration {
  const plain = fileFacts(mirrorPath);
  return {
    number,
    bytes: (plain?.size ?? 0) + (fileSize(packedPath(mirrorPath)) ?? 0),
    empty: marks.length === 0,
    // Appending and unpacking both write the plain file; both count as use.
    lastUse: Math.max(marks.at(-1)?.time ?? 0, ended?.at ?? 0, plain?.modified ?? 0),
    packed: packed !== undefined,
  };
}

function hasSurplus(mirrorPath: string, packed: unknown): boolean {
  return fileSize(packed ? mirrorPath : packedPath(mirrorPath)) !== undefined;
}
