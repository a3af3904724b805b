import { projectDirectoryIn } from "../../claude/environment.ts";
import type { HookPayload } from "../../claude/hooks/hook-payload.ts";
import type { Milestone } from "../../claude/hooks/milestone.ts";
import type { Checkpoint } from "../../core/checkpoint/checkpoint.ts";
import { type Evidence, mergeSighting, type Sighting } from "../../core/checkpoint/checkpoint-merge.ts";
import { newCommits } from "../../core/checkpoint/new-commits.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import { readRepository } from "../../io/git/git-files.ts";
import {
  type CheckpointPlaces,
  isUnfinishedSave,
  loadCheckpoint,
  loadPastOf,
  saveCheckpoint,
} from "../../store/checkpoints/checkpoints.ts";
import { withLock } from "../../store/lock.ts";
import { placesOfSession } from "./checkpoint-places.ts";
import type { Environment } from "../environment.ts";

/** Processes hold the lock for milliseconds; Claude gives SessionEnd hooks about 1.5 s in total. */
const lockTimeoutMs = 800;
/** Claude does not wait for a tool call's hook, and no later hook reports the same event, so it can wait longer. */
const backgroundLockTimeoutMs = 5_000;

/** Merges what a hook has seen into the directory's checkpoint. */
export async function recordMilestone(
  environment: Environment,
  payload: HookPayload,
  { evidence, git }: Milestone,
): Promise<void> {
  const directory = projectDirectoryIn(environment.variables) ?? payload.cwd;
  if (directory === undefined) return;
  const places = placesOfSession(environment, payload.transcriptPath, directory);
  const { sessionId, event, cwd = directory } = payload;
  const see = (before: Checkpoint | undefined): Omit<Sighting, "now"> => ({
    sessionId,
    directory,
    reason: event,
    evidence: [
      ...(git === "no" ? [] : lookAtGit(cwd, before?.sessionId === sessionId ? before : undefined, git === "changed")),
      ...evidence.map((each) => (each.kind === "edit" ? { ...each, file: inside(directory, each.file) } : each)),
    ],
  });
  await recordSighting(environment, places, see, payload.handling.isAsync ? backgroundLockTimeoutMs : lockTimeoutMs);
}

/** Returns the resulting checkpoint; undefined when another process held the lock for too long. */
export async function recordSighting(
  { paths, now }: Environment,
  places: CheckpointPlaces,
  see: (before: Checkpoint | undefined) => Omit<Sighting, "now">,
  waitMilliseconds = lockTimeoutMs,
): Promise<Checkpoint | undefined> {
  makeDirectory(paths.locks);
  const locked = await withLock(
    paths.checkpointLock,
    () => {
      const before = loadCheckpoint(places);
      const sighting = see(before);
      const { sessionId, directory } = sighting;
      const other = before && before.sessionId !== sessionId;
      const own = other ? loadPastOf(places.shared, sessionId, directory) : undefined;
      const { checkpoint, changed, replaced } = mergeSighting(before, { ...sighting, now: now(), own });
      if (changed || (before && isUnfinishedSave(places, before))) saveCheckpoint(places, checkpoint, replaced);
      return checkpoint;
    },
    { waitMilliseconds },
  );
  return locked.state === "done" ? locked.value : undefined;
}

/** Called only when a command may have changed Git's files, or when a turn begins or ends. */
function lookAtGit(cwd: string, own: Checkpoint | undefined, changed: boolean): Evidence[] {
  const repository = readRepository(cwd);
  if (!repository) return [];
  const { name, branch, log } = repository;
  const commits = newCommits(log, own?.where.commit ?? null, changed);
  return [
    ...commits.map((subject): Evidence => ({ kind: "done", text: `Committed: ${subject}` })),
    { kind: "where", repository: name, branch, commit: log.at(-1)?.commit ?? null },
  ];
}

export const inside = (directory: string, file: string): string =>
  file.startsWith(`${directory}/`) ? file.slice(directory.length + 1) : file;
