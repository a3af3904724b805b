import { isStartedByClaude } from "../../claude/environment.ts";
import { checkpointsDirectory, projectsDirectory } from "../../claude/paths.ts";
import type { Checkpoint } from "../../core/checkpoint/checkpoint.ts";
import { mergeSave, type Words } from "../../core/checkpoint/checkpoint-save.ts";
import { Failure } from "../../core/failure.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import { readRepository } from "../../io/git/git-files.ts";
import {
  clearCheckpoint,
  listCheckpoints,
  listPastCheckpoints,
  loadCheckpoint,
  loadLatest,
  saveCheckpoint,
} from "../../store/checkpoints/checkpoints.ts";
import { withLockOrFail } from "../../store/lock.ts";
import { placesHere } from "./checkpoint-places.ts";
import type { Environment } from "../environment.ts";
import { installedRecords } from "../installed-hooks.ts";

const lockTimeoutMs = 5_000;

export async function saveWords(environment: Environment, cwd: string, words: Words): Promise<Checkpoint> {
  const { places, directory, sessionId } = placesHere(environment, cwd);
  const by = isStartedByClaude(environment.variables) ? ("claude" as const) : ("user" as const);
  return locked(environment, () => {
    const before = loadCheckpoint(places);
    const merged = mergeSave(before, { by, sessionId, directory, now: environment.now(), words });
    const repository = readRepository(cwd);
    const where = repository && {
      repository: repository.name,
      branch: repository.branch,
      commit: repository.log.at(-1)?.commit ?? null,
    };
    const checkpoint = { ...merged.checkpoint, where: { ...merged.checkpoint.where, ...where } };
    saveCheckpoint(places, checkpoint, merged.replaced);
    return checkpoint;
  });
}

/** Returns this directory's checkpoint, or the newest of all directories. */
export function showCheckpoint(environment: Environment, cwd: string, everywhere: boolean): Checkpoint {
  const shared = checkpointsDirectory(environment.claudeConfig);
  const found = everywhere ? loadLatest(shared) : loadCheckpoint(placesHere(environment, cwd).places);
  if (found) return found;
  throw new Failure("not-found", everywhere ? "there is no checkpoint yet" : `there is no checkpoint for ${cwd}`, {
    hint: loadLatest(shared)
      ? "See ai-runtime checkpoint list, or show --global for the newest of all."
      : adviseFirstCheckpoint(environment),
  });
}

/** What to do when there is no checkpoint at all. */
export const adviseFirstCheckpoint = (environment: Environment): string =>
  installedRecords(environment).checkpoints
    ? "The hooks are installed and save one when Claude works. To save one now: ai-runtime checkpoint save"
    : "Run ai-runtime install, so that Claude's hooks save one, or run ai-runtime checkpoint save.";

export interface ListedCheckpoint {
  checkpoint: Checkpoint;
  /** Another checkpoint replaced it, or it was cleared. */
  past: boolean;
}

/** Newest first. */
export function listAll(environment: Environment, withPast: boolean): ListedCheckpoint[] {
  const present = listCheckpoints(projectsDirectory(environment.claudeConfig));
  const past = withPast ? listPastCheckpoints(checkpointsDirectory(environment.claudeConfig)) : [];
  return [
    ...present.map((checkpoint) => ({ checkpoint, past: false })),
    ...past.map((checkpoint) => ({ checkpoint, past: true })),
  ].sort((a, b) => b.checkpoint.time - a.checkpoint.time);
}

/** Returns false when there was no checkpoint. */
export async function clearHere(environment: Environment, cwd: string): Promise<boolean> {
  const { places, directory } = placesHere(environment, cwd);
  const projects = projectsDirectory(environment.claudeConfig);
  const listAll = (): Checkpoint[] => listCheckpoints(projects);
  return locked(environment, () => clearCheckpoint(places, { directory, now: environment.now(), listAll }));
}

async function locked<T>({ paths }: Environment, body: () => T): Promise<T> {
  makeDirectory(paths.locks);
  const message = "another process is saving a checkpoint";
  return withLockOrFail(paths.checkpointLock, body, { waitMilliseconds: lockTimeoutMs, message });
}
