import { closeSync, constants, fstatSync, openSync, readlinkSync, readdirSync } from "node:fs";
import { absoluteBytes, type BytePath, lookAt } from "./byte-path.ts";
import { readRange } from "./read-file.ts";

export type ProjectEntry =
  | { kind: "missing" }
  | { kind: "directory" }
  | { kind: "other" }
  | { kind: "link"; content: Uint8Array; mode: number }
  | { kind: "file"; content: Uint8Array; mode: number };

/** What is at this path now. Links are not followed. */
export function readProjectEntry(root: string, path: BytePath): ProjectEntry {
  const stats = lookAt(root, path);
  if (!stats) return { kind: "missing" };
  if (stats.isDirectory()) return { kind: "directory" };
  const place = absoluteBytes(root, path);
  if (stats.isSymbolicLink())
    return { kind: "link", content: readlinkSync(place, { encoding: "buffer" }), mode: 0o777 };
  if (!stats.isFile()) return { kind: "other" };
  const descriptor = openSync(place, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const { size, mode } = fstatSync(descriptor);
    return { kind: "file", content: readRange(descriptor, 0, size), mode: mode & 0o777 };
  } finally {
    closeSync(descriptor);
  }
}

/** What is directly in a directory. */
export const listInside = (root: string, path: BytePath): BytePath[] =>
  readdirSync(absoluteBytes(root, path), { encoding: "buffer" }).map((name) => `${path}/${name.toString("latin1")}`);

/** Every file and link below a directory. */
export function listBelow(root: string, path: BytePath): BytePath[] {
  return listInside(root, path).flatMap((inside) =>
    lookAt(root, inside)?.isDirectory() ? listBelow(root, inside) : [inside],
  );
}
