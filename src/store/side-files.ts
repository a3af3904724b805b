import { dirname } from "node:path";
import { appendRange, copyFile, makeDirectory, moveFile, replaceFile } from "../io/durable.ts";
import { fileSize, listFiles, readRange, sameBytes, withFile } from "../io/read-file.ts";

const probe = 4096;

/**
 * What the transcript's lines point to: subagents' transcripts, which grow, and tool results, which do not.
 * A file that grew is appended to, one that is no longer what it was is kept beside the new one.
 */
export function copySideFiles(from: string, to: string, hasTime: () => boolean): void {
  for (const name of listFiles(from)) {
    const source = `${from}/${name}`;
    const target = `${to}/${name}`;
    const size = fileSize(source);
    const have = wholeSize(target);
    if (size === undefined || size === have) continue;
    if (!hasTime()) return;
    makeDirectory(dirname(target));
    if (have !== undefined && continues(source, target, have)) {
      withFile(source, ({ fd, size: to }) => {
        if (isTranscript(name)) appendRange({ source: fd, from: have, to, target, at: have });
        else replaceFile(target, { source: fd, from: 0, to });
      });
    } else {
      if (have !== undefined) setAside(target);
      // It gets its name only when it is whole: most of these never change again.
      copyFile(source, target);
    }
  }
}

/** What a restore has to put back; a file that is there is left alone. */
export function missingSideFiles(from: string, to: string): string[] {
  return listFiles(from).filter((name) => !/\.before-\d+$/.test(name) && fileSize(`${to}/${name}`) === undefined);
}

export function restoreSideFiles(from: string, to: string): void {
  for (const name of missingSideFiles(from, to)) {
    makeDirectory(dirname(`${to}/${name}`), { shared: true });
    copyFile(`${from}/${name}`, `${to}/${name}`, { length: wholeSize(`${from}/${name}`) ?? 0 });
  }
}

/** Only these are appended to; a line of theirs has no NUL in it. */
const isTranscript = (name: string): boolean => name.endsWith(".jsonl");

/**
 * Without the NULs that a power cut during an append can leave: the file's length is kept then, what stood there is not. They
 * never reach further than the block in which the file ended. Undefined when there is no such file.
 */
function wholeSize(path: string): number | undefined {
  if (!isTranscript(path)) return fileSize(path);
  return withFile(path, ({ fd, size }) => {
    const from = Math.max(0, size - probe);
    const tail = readRange(fd, from, size);
    return from + tail.findLastIndex((byte) => byte !== 0) + 1;
  });
}

function continues(source: string, target: string, have: number): boolean {
  const same = withFile(source, (a) =>
    withFile(target, (b) => a.size >= have && sameBytes(a.fd, b.fd, Math.max(0, have - probe), have)),
  );
  return same ?? false;
}

function setAside(target: string): void {
  let number = 1;
  while (fileSize(`${target}.before-${number}`) !== undefined) number++;
  moveFile(target, `${target}.before-${number}`);
}
