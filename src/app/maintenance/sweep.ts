import { removeFile, sweepTemporaries } from "../../io/durable/durable.ts";
import { fileFacts, fileSize, listDirectory, listFiles, parentOf } from "../../io/files/read-file.ts";
import { tryLock } from "../../store/lock.ts";
import type { Environment } from "../environment.ts";

const dayMs = 86_400_000;
/** A standstill older than this belongs to a session that has ended or was already reported. */
const maxCanaryAgeMs = 7 * dayMs;

/** Removes what killed writers and ended sessions left behind, once it is too old to be in use. */
export function sweepLeftovers(environment: Environment): void {
  const { paths, now } = environment;
  const directories = new Set(listFiles(paths.root).map((name) => parentOf(`${paths.root}/${name}`)));
  for (const directory of directories) sweepTemporaries(directory, dayMs, now());
  for (const name of listDirectory(`${paths.root}/canary`)) {
    const path = `${paths.root}/canary/${name}`;
    if (isOlder(path, maxCanaryAgeMs, now())) removeFile(path);
  }
  for (const name of listDirectory(paths.locks)) {
    const [sessionId = ""] = name.split(".");
    const isGone = fileSize(paths.state(sessionId)) === undefined;
    if (isGone && isOlder(`${paths.locks}/${name}`, dayMs, now())) discardLock(`${paths.locks}/${name}`);
  }
}

function isOlder(path: string, milliseconds: number, now: number): boolean {
  const facts = fileFacts(path);
  return facts !== undefined && now - facts.modified > milliseconds;
}

function discardLock(path: string): void {
  const lock = tryLock(path);
  lock?.discard();
}
