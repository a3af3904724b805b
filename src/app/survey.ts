import type { HeldGeneration, HeldSession } from "../core/retention.ts";
import { fileFacts, fileSize, listDirectory } from "../io/read-file.ts";
import { readLatest } from "../store/read-latest.ts";
import { listSessionFiles } from "../store/removal.ts";
import { packedPath } from "../store/snapshot-paths.ts";
import { type Generation, listSessionIds, viewSession } from "../store/session-view.ts";
import type { Environment } from "./environment.ts";
import { findLiveClaude } from "./live-session.ts";

export interface SurveyedSession extends HeldSession {
  project: string;
  /** The generations of which both files are there: a kill came between. */
  doubled: number[];
}

/** What every session holds on disk, and when it was last of use. */
export function surveySessions(environment: Environment): SurveyedSession[] {
  const generations = listDirectory(environment.paths.generations);
  return listSessionIds(environment.paths).map((id) => surveySession(environment, id, generations));
}

/** `names`: what lies in generations/, when the caller has listed it already. */
export function surveySession(
  environment: Environment,
  sessionId: string,
  names: readonly string[] = listDirectory(environment.paths.generations),
): SurveyedSession {
  const { paths } = environment;
  const isLatest = readLatest(paths)?.sessionId === sessionId;
  const files = listSessionFiles(paths, sessionId, names);
  const total = files.reduce((sum, path) => sum + (fileSize(path) ?? 0), 0);
  const view = viewSession(paths, sessionId);
  const place = typeof view === "string" ? undefined : view.transcriptPath;
  const heldByClaude = findLiveClaude(environment, sessionId, place) !== undefined;
  if (typeof view === "string") {
    // What it is cannot be told: it is treated as the only copy, and its age is that of its files.
    const lastUse = Math.max(0, ...files.map((path) => fileFacts(path)?.modified ?? 0));
    const nothing = { generations: [], doubled: [], transcriptExists: false, project: "?" };
    return { ...nothing, sessionId, otherBytes: total, lastUse, heldByClaude, isLatest };
  }
  const generations = view.generations.map(surveyGeneration);
  const transcript = fileFacts(view.transcriptPath);
  return {
    sessionId,
    project: view.cwd ?? view.transcriptPath.split(/[\\/]/).at(-2) ?? "?",
    generations,
    otherBytes: total - generations.reduce((sum, { bytes }) => sum + bytes, 0),
    lastUse: Math.max(transcript?.modified ?? 0, ...generations.map(({ lastUse }) => lastUse)),
    heldByClaude,
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
    // A plain file is new after an append and after an unpacking; both are uses.
    lastUse: Math.max(marks.at(-1)?.time ?? 0, ended?.at ?? 0, plain?.modified ?? 0),
    packed: packed !== undefined,
  };
}

function hasSurplus(mirrorPath: string, packed: unknown): boolean {
  return fileSize(packed ? mirrorPath : packedPath(mirrorPath)) !== undefined;
}
