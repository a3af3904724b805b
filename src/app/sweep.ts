import { removeFile, sweepTemporaries } from "../io/durable.ts";
import { fileFacts, fileSize, listDirectory, listFiles, parentOf } from "../io/read-file.ts";
import { tryLock } from "../store/lock.ts";
import type { Environment } from "./environment.ts";

const day = 86_400_000;
/** A session that stood still this long ago has ended since, or has been told of. */
const canaryDays = 7;

/** What killed writers and ended sessions left behind; all of it old enough that nobody can be using it. */
export function sweepLeftovers(environment: Environment): void {
  const { paths, now } = environment;
  const directories = new Set(listFiles(paths.root).map((name) => parentOf(`${paths.root}/${name}`)));
  for (const directory of directories) sweepTemporaries(directory, day, now());
  for (const name of listDirectory(`${paths.root}/canary`)) {
    const path = `${paths.root}/canary/${name}`;
    if (isOlder(path, canaryDays * day, now())) removeFile(path);
  }
  for (const name of listDirectory(paths.locks)) {
    const [sessionId = ""] = name.split(".");
    const isGone = fileSize(paths.state(sessionId)) === undefined;
    if (isGone && isOlder(`${paths.locks}/${name}`, day, now())) discardLock(`${paths.locks}/${name}`);
  }
}

function isOlder(path: string, milliseconds: number, now: number): boolean {
  const facts = fileFacts(path);
  return facts !== undefined && now - facts.modified > milliseconds;
}

function discardLock(path: string): void {
  const lock = tryLock(path);
  if (lock !== "busy") lock.discard();
}
