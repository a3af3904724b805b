import { has, isAmount, isFlag, isText, isTexts, isTime, orNull } from "../../core/check-record.ts";
import type { FileMark, FileRestore } from "../../core/files/file-mark.ts";
import { replaceFileAfter } from "../../io/durable/create-together.ts";
import { replaceFile } from "../../io/durable/durable.ts";
import { readText } from "../../io/files/read-file.ts";
import type { Overlay } from "./overlay-tree.ts";
import type { ProjectOrigin } from "./project-origin.ts";

/** What an index file of git held when its tree was written. A file with another stamp has changed since. */
export interface KnownIndex {
  stamp: string;
  tree: string;
  /** The stamp of the project's own index when its list of tracked files was last read. */
  project: string;
  /** Files that differ from the index: few, so that the index stays as it is. */
  overlay?: Overlay;
}

/** `marks.json` of a workspace: the only truth about its file marks. Written after the objects of a mark are on disk. */
export interface TreeRecord {
  version: 1;
  /** The absolute path of the workspace. */
  workspace: string;
  /** Of the directory itself: it tells a moved project from a new one. */
  identity: string;
  /** Marks ever taken. */
  count: number;
  /** Oldest first. */
  marks: FileMark[];
  /** Oldest first. */
  restores: FileRestore[];
  /** By the path of the repository inside of the workspace; "" is the workspace itself. */
  indexes: Record<string, KnownIndex>;
  /** The tree of the workspace with its nested repositories, and the trees that it was made of. */
  composed: { parts: string; tree: string } | null;
  /** When the newest objects were made durable, in milliseconds since 1970. */
  syncedAt: number;
  /** How long the last mark took. */
  tookMs: number;
  /** The project's history and remote, which tell where it is after it moved to another disk; absent until they are read. */
  origin?: ProjectOrigin;
}

export const newRecord = (workspace: string, identity: string): TreeRecord => ({
  version: 1,
  workspace,
  identity,
  count: 0,
  marks: [],
  restores: [],
  indexes: {},
  composed: null,
  syncedAt: 0,
  tookMs: 0,
});

/** A record that could not be read is renamed to this and a number. */
export const damagedPrefix = "marks.damaged-";

export const recordPath = (directory: string): string => `${directory}/marks.json`;

/** `damaged`: the file exists but is not a record. */
export function readRecord(directory: string): TreeRecord | "damaged" | undefined {
  const text = readText(recordPath(directory));
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as TreeRecord) : "damaged";
  } catch {
    return "damaged";
  }
}

export function writeRecord(directory: string, record: TreeRecord): void {
  replaceFile(recordPath(directory), JSON.stringify(record));
}

/** The old record stays until the objects that the new one names are durable. */
export const writeRecordAfter = (directory: string, record: TreeRecord, durable: Promise<void>): Promise<void> =>
  replaceFileAfter(recordPath(directory), JSON.stringify(record), durable);

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
const isTree = (value: unknown): boolean => typeof value === "string" && /^[0-9a-f]{40,64}$/.test(value);

const isMark = has({
  n: isAmount,
  time: isTime,
  takenAt: (value) => value === undefined || isTime(value),
  reason: isText,
  sessionId: orNull(isText),
  mark: orNull(isAmount),
  before: orNull(isText),
  late: isFlag,
  tree: isTree,
  left: Array.isArray,
  modes: isObject,
  mask: isAmount,
} satisfies Record<keyof FileMark, (value: unknown) => boolean>);

const isRestore = has({
  time: isTime,
  from: isAmount,
  to: isAmount,
  paths: isTexts,
  state: (value) => value === "started" || value === "done" || value === "undone",
} satisfies Record<keyof FileRestore, (value: unknown) => boolean>);

const isListOf =
  (check: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(check);

const isRecord = has({
  version: (value) => value === 1,
  workspace: isText,
  identity: isText,
  count: isAmount,
  marks: isListOf(isMark),
  restores: isListOf(isRestore),
  indexes: isObject,
  composed: orNull(has({ parts: isText, tree: isTree })),
  syncedAt: isTime,
  tookMs: isAmount,
  origin: (value) => value === undefined || has({ roots: isTexts, remote: orNull(isText) })(value),
} satisfies Record<keyof TreeRecord, (value: unknown) => boolean>);
