import { dirname } from "node:path";
import { appendRange, copyFile, makeDirectory, moveFile, replaceFile } from "../../io/durable/durable.ts";
import { isTemporary } from "../../io/durable/temporary.ts";
import { fileMode, fileSize, listFiles, readRange, sameBytes, withFile } from "../../io/files/read-file.ts";

const probeBytes = 4096;

/**
 * The files that the transcript refers to: transcripts of subagents, which grow, and tool results, which do not.
 * A file that grew is appended to. A changed file becomes the new copy, and the copy before it is kept as an earlier generation.
 * A file that lost its end, or all of its content, changes nothing: the copy has everything that it has. `neverShrinks` names
 * files that never get smaller or change in place: such a change is damage, and the copy stays.
 */
export function copySideFiles(
  from: string,
  to: string,
  { hasTime, neverShrinks }: { hasTime(): boolean; neverShrinks(name: string): boolean },
): void {
  for (const name of listSideFiles(from)) {
    const source = `${from}/${name}`;
    const target = `${to}/${name}`;
    const size = fileSize(source);
    const have = wholeSize(target);
    if (size === undefined || size === have) continue;
    if (!hasTime()) return;
    // NULs at its end are lost content, too.
    const left = wholeSize(source) ?? 0;
    if (have !== undefined && left < have && (neverShrinks(name) || beginsAlike(source, target, left))) continue;
    makeDirectory(dirname(target));
    if (have !== undefined && continues(source, target, have)) {
      withFile(source, ({ fd, size: to }) => {
        if (isTranscript(name)) appendRange({ source: fd, from: have, to, target, at: have });
        else replaceFile(target, { source: fd, from: 0, to });
      });
    } else {
      if (have !== undefined) moveFile(target, freeName(target));
      // It gets its name only when it is complete: most of these never change again.
      copyFile(source, target);
    }
  }
}

export const listSideFiles = (directory: string): string[] => listFiles(directory).filter((name) => !isTemporary(name));

/** Our copies of one side file. */
export interface SideCopies {
  name: string;
  /** Newest first. */
  generations: SideCopy[];
}

export interface SideCopy {
  path: string;
  /** Valid bytes. */
  size: number;
}

const earlierGeneration = /^(.*)\.before-(\d+)$/;

export function listSideCopies(directory: string): SideCopies[] {
  const found = new Map<string, { path: string; number: number }[]>();
  for (const file of listSideFiles(directory)) {
    const [, name = file, number] = earlierGeneration.exec(file) ?? [];
    const generations = found.get(name) ?? [];
    found.set(name, generations);
    // The current copy has no number, and is the newest.
    generations.push({ path: `${directory}/${file}`, number: number === undefined ? Infinity : Number(number) });
  }
  return [...found].map(([name, generations]) => ({
    name,
    generations: generations
      .sort((one, other) => other.number - one.number)
      .map(({ path }) => ({ path, size: wholeSize(path) ?? 0 })),
  }));
}

/** Puts a copy in place. What it replaces is kept as another generation, unless one has it already. */
export function restoreSideFile({ generations }: SideCopies, copy: SideCopy, target: string): void {
  const size = fileSize(target) ?? 0;
  const isKept = generations.some((each) => each.size >= size && beginsWith(each.path, target, size));
  const first = generations[0]?.path;
  if (size > 0 && !isKept && first !== undefined) copyFile(target, freeName(first.replace(/\.before-\d+$/, "")));
  makeDirectory(dirname(target), { shared: true });
  const mode = fileMode(target) ?? 0o600;
  withFile(copy.path, ({ fd }) => replaceFile(target, { source: fd, from: 0, to: copy.size }, { mode }));
}

/** Whether the first `size` bytes of both files are the same. */
export function beginsWith(one: string, other: string, size: number): boolean {
  return withFile(one, (a) => withFile(other, (b) => sameBytes(a.fd, b.fd, 0, size))) ?? false;
}

/** Only these are appended to; their lines contain no NUL. */
const isTranscript = (name: string): boolean => name.endsWith(".jsonl");

/**
 * Without the NULs that a power cut during an append can leave: the file keeps its length, but not its content. They
 * never extend beyond the last block of the file. Undefined when there is no such file.
 */
function wholeSize(path: string): number | undefined {
  if (!isTranscript(path)) return fileSize(path);
  return withFile(path, ({ fd, size }) => {
    const from = Math.max(0, size - probeBytes);
    const tail = readRange(fd, from, size);
    return from + tail.findLastIndex((byte) => byte !== 0) + 1;
  });
}

function continues(source: string, target: string, have: number): boolean {
  const same = withFile(source, (a) =>
    withFile(target, (b) => a.size >= have && sameBytes(a.fd, b.fd, Math.max(0, have - probeBytes), have)),
  );
  return same ?? false;
}

/** A quick look at both ends of the shorter file. */
function beginsAlike(source: string, target: string, size: number): boolean {
  const same = withFile(source, (a) =>
    withFile(
      target,
      (b) =>
        sameBytes(a.fd, b.fd, 0, Math.min(size, probeBytes)) &&
        sameBytes(a.fd, b.fd, Math.max(0, size - probeBytes), size),
    ),
  );
  return same ?? false;
}

function freeName(target: string): string {
  let number = 1;
  while (fileSize(`${target}.before-${number}`) !== undefined) number++;
  return `${target}.before-${number}`;
}
