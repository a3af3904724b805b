import {
  maxSlugLength,
  memoryDirectory,
  projectDirectoryName,
  projectsDirectory,
  sessionOfFile,
  sideDirectory,
  transcriptPath,
} from "../../claude/paths.ts";
import { isWithin, movedPath, type Relocation } from "../../core/rehome/moved-path.ts";
import type { RehomeStep } from "../../core/rehome/rehome-record.ts";
import { isSessionId } from "../../core/session-id.ts";
import { identityAt, isDirectory, listDirectory, parentOf } from "../../io/files/read-file.ts";
import { listSessionIds, viewSession } from "../../store/snapshots/session-view.ts";
import type { Environment } from "../environment.ts";
import { recordedDirectory } from "../session/project-directory.ts";

/** A conversation of the moved project. */
export interface MovedSession {
  readonly sessionId: string;
  /** Its transcript, or where that was when Claude no longer has it. */
  readonly from: string;
  readonly to: string;
}

/** What stays at the old place, and why. */
export interface LeftBehind {
  readonly path: string;
  readonly why: string;
}

/** Steps and what they are for; planners of one kind of records each return one. */
export interface PartialPlan {
  readonly steps: readonly RehomeStep[];
  readonly left: readonly LeftBehind[];
}

export interface SessionPlan extends PartialPlan {
  readonly sessions: readonly MovedSession[];
  /** Those that cannot move, because something has their new place. */
  readonly stuck: readonly MovedSession[];
  /** Further changes of paths in our records: where a transcript was, and is. */
  readonly moves: readonly Relocation[];
}

/** Moves transcripts and their side files to the directories that Claude names after the new paths. */
export function planSessions(environment: Environment, move: Relocation): SessionPlan {
  const found = [...findTranscripts(environment, move), ...findSnapshots(environment, move)];
  // A transcript counts before what a snapshot says about it.
  const sessions = [...new Map(found.toReversed().map((each) => [each.sessionId, each])).values()].toReversed();
  const steps: RehomeStep[] = [];
  const left: LeftBehind[] = [];
  for (const session of sessions) planSession(session, steps, left);
  const isStuck = ({ from }: MovedSession): boolean => left.some(({ path }) => path === from);
  const moved = sessions.filter((session) => !isStuck(session));
  return {
    sessions: moved,
    stuck: sessions.filter(isStuck),
    steps,
    left,
    moves: moved.flatMap((session) => movesOf(environment, session)),
  };
}

function planSession({ sessionId, from, to }: MovedSession, steps: RehomeStep[], left: LeftBehind[]): void {
  const owner = { kind: "session", id: sessionId } as const;
  const file = identityAt(from);
  if (from === to || file === undefined) return;
  const [side, newSide] = [sideDirectory(from), sideDirectory(to)];
  const taken = [to, newSide].find((path) => identityAt(path) !== undefined);
  if (taken !== undefined) return void left.push({ path: from, why: `${taken} exists` });
  steps.push({ kind: "directory", path: parentOf(to), owner });
  // The side files first: a transcript is complete at each moment, wherever it is.
  const sideFile = identityAt(side);
  if (sideFile !== undefined) {
    steps.push({ kind: "move", from: side, to: newSide, file: sideFile, owner });
    steps.push({ kind: "link", path: side, to: newSide, owner });
  }
  steps.push({ kind: "move", from, to, file, owner });
}

const movesOf = ({ paths }: Environment, { sessionId, from, to }: MovedSession): Relocation[] => {
  const recorded = viewSession(paths, sessionId)?.transcriptPath;
  return [...new Set([recorded, from])]
    .filter((path) => path !== undefined && path !== "" && path !== to)
    .map((path) => ({ from: path ?? "", to }));
};

/** Claude gives different paths the same name, so the transcript's own lines decide. */
function findTranscripts(environment: Environment, move: Relocation): MovedSession[] {
  const projects = projectsDirectory(environment.claudeConfig);
  return listDirectory(projects)
    .filter((name) => mayHold(name, move.from))
    .flatMap((name) =>
      listDirectory(`${projects}/${name}`)
        .flatMap((file) => sessionOfFile(file) ?? [])
        .filter(isSessionId)
        .flatMap((sessionId) => {
          const from = transcriptPath(`${projects}/${name}`, sessionId);
          const origin = originOf(environment, { sessionId, from, name }, move);
          const to = origin === undefined ? undefined : placeOf(projects, sessionId, origin, move);
          return to === undefined ? [] : [{ sessionId, from, to }];
        }),
    );
}

/** Whether Claude's directory of this name can belong to the project or to a directory below it. */
function mayHold(name: string, directory: string): boolean {
  const slug = projectDirectoryName(directory);
  return name === slug || name.startsWith(slug.length > maxSlugLength ? slug.slice(0, maxSlugLength) : `${slug}-`);
}

interface FoundTranscript {
  readonly sessionId: string;
  readonly from: string;
  /** Of Claude's directory. */
  readonly name: string;
}

function originOf(
  { paths }: Environment,
  { sessionId, from, name }: FoundTranscript,
  move: Relocation,
): string | undefined {
  const own = recordedDirectory(from);
  if (own !== undefined) return own;
  const reported = viewSession(paths, sessionId)?.cwd;
  if (reported !== undefined && projectDirectoryName(reported) === name) return reported;
  return name === projectDirectoryName(move.from) ? move.from : undefined;
}

function placeOf(projects: string, sessionId: string, origin: string, move: Relocation): string | undefined {
  const directory = movedPath(origin, move);
  return directory === undefined
    ? undefined
    : transcriptPath(`${projects}/${projectDirectoryName(directory)}`, sessionId);
}

/** Sessions that Claude no longer has: a restore must bring them to the new place. */
function findSnapshots(environment: Environment, move: Relocation): MovedSession[] {
  const projects = projectsDirectory(environment.claudeConfig);
  return listSessionIds(environment.paths).flatMap((sessionId): MovedSession[] => {
    const view = viewSession(environment.paths, sessionId);
    if (view?.cwd === undefined || !isWithin(move.from, view.cwd) || identityAt(view.transcriptPath)) return [];
    const to = placeOf(projects, sessionId, view.cwd, move);
    return to === undefined || view.transcriptPath === "" ? [] : [{ sessionId, from: view.transcriptPath, to }];
  });
}

/** Claude's notes and our checkpoint, beside the transcripts. A directory that two projects share keeps them. */
export function planMemory(environment: Environment, move: Relocation, sessions: readonly MovedSession[]): PartialPlan {
  const projects = projectsDirectory(environment.claudeConfig);
  const own = {
    from: `${projects}/${projectDirectoryName(move.from)}`,
    to: `${projects}/${projectDirectoryName(move.to)}`,
  };
  const directories = [own, ...sessions.map(({ from, to }) => ({ from: parentOf(from), to: parentOf(to) }))];
  const distinct = [...new Map(directories.map((each) => [each.from, each])).values()];
  const steps: RehomeStep[] = [];
  const left: LeftBehind[] = [];
  for (const { from, to } of distinct.filter((each) => each.from !== each.to)) {
    const [memory, newMemory] = [memoryDirectory(from), memoryDirectory(to)];
    if (!isDirectory(memory)) continue;
    const isShared = listDirectory(from)
      .flatMap((name) => sessionOfFile(name) ?? [])
      .some((id) => !sessions.some((each) => each.sessionId === id && parentOf(each.from) === from));
    planEntries(memory, newMemory, isShared, steps, left);
  }
  return { steps, left };
}

function planEntries(
  memory: string,
  newMemory: string,
  isShared: boolean,
  steps: RehomeStep[],
  left: LeftBehind[],
): void {
  const owner = { kind: "checkpoint" } as const;
  const names = listDirectory(memory);
  if (names.length === 0) return;
  if (isShared) return void left.push({ path: memory, why: "another project uses the same directory of Claude" });
  steps.push({ kind: "directory", path: newMemory, owner });
  for (const name of names) {
    const [from, to] = [`${memory}/${name}`, `${newMemory}/${name}`];
    const file = identityAt(from);
    if (identityAt(to) !== undefined) left.push({ path: from, why: `${to} exists` });
    else if (file !== undefined) steps.push({ kind: "move", from, to, file, owner });
  }
}
