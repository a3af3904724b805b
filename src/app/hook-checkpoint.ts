import type { HookPayload } from "../claude/hook-payload.ts";
import type { Milestone } from "../claude/milestone.ts";
import type { Checkpoint } from "../core/checkpoint.ts";
import { type Evidence, mergeSighting, type Sighting } from "../core/checkpoint-merge.ts";
import { newCommits } from "../core/new-commits.ts";
import { makeDirectory } from "../io/durable.ts";
import { readRepository } from "../io/git-files.ts";
import {
  type CheckpointPlaces,
  isUnfinishedSave,
  loadCheckpoint,
  loadPastOf,
  saveCheckpoint,
} from "../store/checkpoints.ts";
import { withLock } from "../store/lock.ts";
import { placesOfSession } from "./checkpoint-places.ts";
import type { Environment } from "./environment.ts";

/** Others hold it for milliseconds; SessionEnd has about 1.5 s in all. */
const patience = 800;
/** Nobody waits for the hook of a tool call, and what it has seen is not seen again: many at once on a slow disk take their time. */
const patienceInBackground = 5_000;

/** A hook that has seen something: what it saw is merged into the directory's checkpoint. */
export async function recordMilestone(
  environment: Environment,
  payload: HookPayload,
  { evidence, git }: Milestone,
): Promise<void> {
  const directory = environment.variables["CLAUDE_PROJECT_DIR"] || payload.cwd;
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
  await recordSighting(environment, places, see, event === "PostToolUse" ? patienceInBackground : patience);
}

/** Returns what there is afterwards; undefined when another process held the lock for too long. */
export async function recordSighting(
  { paths, now }: Environment,
  places: CheckpointPlaces,
  see: (before: Checkpoint | undefined) => Omit<Sighting, "now">,
  waitMilliseconds = patience,
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

/** Git's files are read only when a command may have changed them, or when a turn begins or ends. */
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
