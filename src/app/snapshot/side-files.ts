import { sideDirectory } from "../../claude/paths.ts";
import { isSubagentTranscript, isTextFile, isToolResult, makesUnreadable } from "../../claude/side-files/side-file.ts";
import { TranscriptVerifier } from "../../claude/repair/verify-transcript.ts";
import { Failure } from "../../core/failure.ts";
import { sweepBeside } from "../../io/durable/sweep-beside.ts";
import { byteTools } from "../../io/files/byte-tools.ts";
import { fileSize, forEachChunk, readRange, withFile } from "../../io/files/read-file.ts";
import {
  beginsWith,
  listSideCopies,
  listSideFiles,
  restoreSideFile,
  type SideCopies,
  type SideCopy,
} from "../../store/snapshots/side-files.ts";
import type { Environment } from "../environment.ts";

/** A side file that lost content: a subagent's transcript, a tool result or another file that the transcript refers to. */
export interface SideFileDamage {
  /** Relative to the directory beside the transcript. */
  name: string;
  kind: "missing" | "empty" | "shorter" | "unreadable" | "changed";
  /** Null when it is missing. */
  size: number | null;
  /** The copy that repair and restore put back; null when no copy is sound. */
  copy: SideCopy | null;
}

/** Compares the side files of a session with our copies, and checks those that we have no copy of. */
export function findSideDamage({ paths }: Environment, sessionId: string, transcriptPath: string): SideFileDamage[] {
  const directory = sideDirectory(transcriptPath);
  const copies = new Map(listSideCopies(paths.sideFiles(sessionId)).map((each) => [each.name, each]));
  const names = new Set([...copies.keys(), ...listSideFiles(directory)]);
  return [...names].sort().flatMap((name) => checkSideFile(directory, copies.get(name) ?? { name, generations: [] }));
}

function checkSideFile(directory: string, { name, generations }: SideCopies): SideFileDamage[] {
  const path = `${directory}/${name}`;
  const size = fileSize(path) ?? null;
  const copies = generations.filter((each) => each.size > 0);
  const sound = longestOf(copies.filter((each) => isSound(name, each.path, each.size)));
  const kind = judge(name, path, size, sound ?? copies[0]);
  // In the place of nothing, even a damaged copy is better.
  const copy = sound ?? (kind === "missing" || kind === "empty" ? copies[0] : undefined) ?? null;
  return kind === undefined ? [] : [{ name, kind, size, copy }];
}

/** The newest copy, or an earlier one that has all of it and more: then the newer one lost its end. */
const longestOf = ([newest, ...earlier]: readonly SideCopy[]): SideCopy | undefined =>
  newest &&
  earlier.reduce(
    (best, each) => (each.size > best.size && beginsWith(each.path, best.path, best.size) ? each : best),
    newest,
  );

function judge(
  name: string,
  path: string,
  size: number | null,
  copy: SideCopy | undefined,
): SideFileDamage["kind"] | undefined {
  if (size === null) return copy ? "missing" : undefined;
  if (size === 0) return copy ? "empty" : undefined;
  const isAlike = copy !== undefined && beginsWith(copy.path, path, Math.min(size, copy.size));
  if (isAlike && size < copy.size) return "shorter";
  if (copy && !isAlike && isToolResult(name) && size <= copy.size) return "changed";
  return isSound(name, path, size) ? undefined : "unreadable";
}

/** Puts the copies back, and keeps what they replace as another generation. The caller must hold the lock. */
export function restoreSideFiles(
  { paths, now }: Environment,
  sessionId: string,
  transcriptPath: string,
  damage: readonly SideFileDamage[],
): void {
  const copies = new Map(listSideCopies(paths.sideFiles(sessionId)).map((each) => [each.name, each]));
  for (const { name, copy } of damage) {
    const own = copies.get(name);
    if (!own || !copy) continue;
    const target = `${sideDirectory(transcriptPath)}/${name}`;
    sweepBeside(target, now());
    restoreSideFile(own, copy, target);
    if (fileSize(target) !== copy.size || !beginsWith(copy.path, target, copy.size))
      throw new Failure("failed", `${target} differs from what was written to it; another program writes to it`);
  }
}

const blockBytes = 4096;

function hasNul(fd: number, size: number): boolean {
  let found = false;
  forEachChunk(fd, 0, size, (bytes) => (found ||= bytes.includes(0)));
  return found;
}

/** As a power cut leaves a file. */
const endsInNuls = (fd: number, size: number): boolean =>
  readRange(fd, Math.max(0, size - blockBytes), size).every((byte) => byte === 0);

function isSound(name: string, path: string, size: number): boolean {
  const sound = withFile(path, ({ fd }) => {
    if (!isSubagentTranscript(name)) return isTextFile(name) ? !hasNul(fd, size) : !endsInNuls(fd, size);
    const verifier = new TranscriptVerifier({
      ...byteTools,
      sessionId: undefined,
      isLive: true,
      isSame: () => true,
      readRecord: () => undefined,
      scanner: undefined,
    });
    forEachChunk(fd, 0, size, (bytes) => verifier.feed(bytes));
    return !verifier.finish().defects.some(makesUnreadable);
  });
  return sound ?? false;
}
