import { fileFacts, fileSize, modifiedTime } from "../../../io/files/read-file.ts";
import { RunFiles } from "../../../store/runs/run-files.ts";
import { RunPaths, runRoot } from "../../../store/runs/run-paths.ts";
import { hasLiveChild, isHeld, listActiveIds, listEndedIds, readIfWhole } from "../../../store/runs/run-registry.ts";
import { listSessionIds } from "../../../store/snapshots/session-view.ts";
import { listSideFiles } from "../../../store/snapshots/side-files.ts";
import { listTreeDirectories } from "../../../store/trees/tree-paths.ts";
import { recordPath } from "../../../store/trees/tree-record.ts";
import type { Environment } from "../../environment.ts";
import { type HolderFinder, holderFinder } from "../../session/find-holder.ts";
import { runSubject, runSubjectId } from "./gather-run.ts";
import { sessionSubject } from "./gather-session.ts";
import { workspaceId, workspaceSubject } from "./gather-workspace.ts";
import type { FileSources } from "./sources.ts";
import type { Subject } from "./subject.ts";

/** Something on this machine that the hub should have. */
export interface LocalSubject {
  /** Unique among all kinds. */
  readonly key: string;
  readonly sessionId?: string;
  /** Its id in the hub while it is in use here: then its lease is renewed. */
  liveId(holder: HolderFinder): string | undefined;
  /** Differs whenever there may be something new. */
  readonly fingerprint: string;
  /** When it last changed, in milliseconds since 1970. */
  readonly changed: number;
  open(machine: string, sources: FileSources, holder: HolderFinder): Subject | undefined;
}

/** Side files grow without a change of the state while a subagent works: they are looked at for this long. */
const sideFilesWindowMs = 24 * 60 * 60 * 1000;

/** What changed since a moment; files first, then sessions, so that a session never names files that the hub lacks. */
export function listLocalSubjects(environment: Environment, since: number): LocalSubject[] {
  const runs = new RunPaths(runRoot(environment.variables, environment.home));
  const all = [...workspaces(environment), ...sessions(environment), ...runsOf(environment, runs)];
  return all.filter(({ changed }) => changed >= since);
}

/** Changes when something may have changed; costs a few calls of stat. */
export function pulse({ paths, variables, home }: Environment): string {
  const runs = new RunPaths(runRoot(variables, home));
  const places = [paths.snapshots, paths.generations, paths.stepsDirectory, runs.active, runs.ended];
  return [...places, ...listTreeDirectories(paths)].map(modifiedTime).join(" ");
}

export const findHolders = (environment: Environment): HolderFinder => holderFinder(environment);

function sessions(environment: Environment): LocalSubject[] {
  const { paths, now } = environment;
  return listSessionIds(paths).flatMap((sessionId): LocalSubject[] => {
    const facts = fileFacts(paths.state(sessionId));
    if (!facts) return [];
    const isRecent = now() - facts.modified < sideFilesWindowMs;
    const directory = paths.sideFiles(sessionId);
    const side = isRecent ? listSideFiles(directory).map((name) => fileSize(`${directory}/${name}`) ?? 0) : [];
    const steps = isRecent ? (fileSize(paths.steps(sessionId)) ?? 0) : 0;
    return [
      {
        key: `session ${sessionId}`,
        sessionId,
        liveId: (holder) => (holder(sessionId, undefined) ? sessionId : undefined),
        fingerprint: [facts.modified, facts.size, side.length, ...side, steps].join(" "),
        changed: facts.modified,
        open: (machine, sources, holder) =>
          sessionSubject(environment, sources, sessionId, {
            isLive: holder(sessionId, undefined) !== undefined,
            workspace: (root) => workspaceId(machine, root),
          }),
      },
    ];
  });
}

function workspaces(environment: Environment): LocalSubject[] {
  return listTreeDirectories(environment.paths).flatMap((directory): LocalSubject[] => {
    const facts = fileFacts(recordPath(directory));
    if (!facts) return [];
    return [
      {
        key: `files ${directory}`,
        liveId: () => undefined,
        fingerprint: `${facts.modified} ${facts.size}`,
        changed: facts.modified,
        open: (machine) => workspaceSubject(environment, machine, directory),
      },
    ];
  });
}

function runsOf(environment: Environment, paths: RunPaths): LocalSubject[] {
  return [...listActiveIds(paths), ...listEndedIds(paths)].flatMap((id): LocalSubject[] => {
    const facts = fileFacts(paths.activeRun(id)) ?? fileFacts(paths.endedRun(id));
    if (!facts) return [];
    const isRecent = environment.now() - facts.modified < sideFilesWindowMs;
    const run = isRecent ? readIfWhole(paths, id) : undefined;
    const directory = run?.plan.directory;
    const journal = directory === undefined ? 0 : (fileSize(new RunFiles(directory).journal) ?? 0);
    const log = directory === undefined ? 0 : (fileSize(new RunFiles(directory).log) ?? 0);
    return [
      {
        key: `run ${id}`,
        liveId: () => (run && !run.plan.cclaude && (isHeld(run) || hasLiveChild(run)) ? runSubjectId(id) : undefined),
        fingerprint: `${facts.modified} ${facts.size} ${journal} ${log}`,
        changed: facts.modified,
        open: (_machine, sources) => runSubject(paths, sources, id),
      },
    ];
  });
}
