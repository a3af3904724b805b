import { checkpointsDirectory, projectsDirectory } from "../claude/paths.ts";
import type { Checkpoint } from "../core/checkpoint.ts";
import { mergeSave, type Words } from "../core/checkpoint-save.ts";
import { Failure } from "../core/failure.ts";
import { makeDirectory } from "../io/durable.ts";
import { readRepository } from "../io/git-files.ts";
import {
  clearCheckpoint,
  listCheckpoints,
  listPastCheckpoints,
  loadCheckpoint,
  loadLatest,
  saveCheckpoint,
} from "../store/checkpoints.ts";
import { withLock } from "../store/lock.ts";
import { placesHere } from "./checkpoint-places.ts";
import type { Environment } from "./environment.ts";

const patience = 5_000;

export async function saveWords(environment: Environment, cwd: string, words: Words): Promise<Checkpoint> {
  const { places, directory, sessionId } = placesHere(environment, cwd);
  const by = environment.variables["CLAUDECODE"] ? ("claude" as const) : ("user" as const);
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

/** This directory's, or the newest of all. */
export function showCheckpoint(environment: Environment, cwd: string, everywhere: boolean): Checkpoint {
  const shared = checkpointsDirectory(environment.claudeConfig);
  const found = everywhere ? loadLatest(shared) : loadCheckpoint(placesHere(environment, cwd).places);
  if (found) return found;
  throw new Failure("not-found", everywhere ? "there is no checkpoint yet" : `there is no checkpoint for ${cwd}`, {
    hint: everywhere
      ? "Run ai-runtime install, and Claude's hooks will keep one; or ai-runtime checkpoint save."
      : "See ai-runtime checkpoint list, or show --global for the newest of all.",
  });
}

export interface ListedCheckpoint {
  checkpoint: Checkpoint;
  /** Its place was taken by another, or it was cleared. */
  past: boolean;
}

/** The newest first. */
export function listAll(environment: Environment, withPast: boolean): ListedCheckpoint[] {
  const present = listCheckpoints(projectsDirectory(environment.claudeConfig));
  const past = withPast ? listPastCheckpoints(checkpointsDirectory(environment.claudeConfig)) : [];
  return [
    ...present.map((checkpoint) => ({ checkpoint, past: false })),
    ...past.map((checkpoint) => ({ checkpoint, past: true })),
  ].sort((a, b) => b.checkpoint.time - a.checkpoint.time);
}

/** Returns whether there was one. */
export async function clearHere(environment: Environment, cwd: string): Promise<boolean> {
  const { places, directory } = placesHere(environment, cwd);
  const projects = projectsDirectory(environment.claudeConfig);
  const listAll = (): Checkpoint[] => listCheckpoints(projects);
  return locked(environment, () => clearCheckpoint(places, { directory, now: environment.now(), listAll }));
}

async function locked<T>({ paths }: Environment, body: () => T): Promise<T> {
  makeDirectory(paths.locks);
  const done = await withLock(paths.checkpointLock, body, { waitMilliseconds: patience });
  if (done.state === "done") return done.value;
  throw new Failure("locked", "another process is saving a checkpoint", { hint: "Try again in a moment." });
}
