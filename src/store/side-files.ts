import { dirname } from "node:path";
import { appendRange, copyFile, makeDirectory, moveFile } from "../io/durable.ts";
import { fileSize, listFiles, sameBytes, withFile } from "../io/read-file.ts";

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
    const have = fileSize(target);
    if (size === undefined || size === have) continue;
    if (!hasTime()) return;
    makeDirectory(dirname(target));
    if (have !== undefined && continues(source, target, have)) {
      withFile(source, (file) => appendRange({ source: file.fd, from: have, to: file.size, target, at: have }));
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
    copyFile(`${from}/${name}`, `${to}/${name}`);
  }
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
