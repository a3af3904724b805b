import { has, isAmount, isFlag, isText } from "../check-record.ts";

/** Bytes of one file, in chunks. Bytes of a stream never change; it only grows. */
export interface Item {
  /** What it is for the machine that wrote it, such as `mirror/2` or `side/subagents/a.jsonl`. */
  readonly name: string;
  readonly stream: string;
  readonly size: number;
  /** The last link of the chain of its chunks; "" while it is empty. */
  readonly link: string;
  /** The hash chain of the plain bytes at `size`, as in a mark. */
  readonly hash: string;
}

/** Everything that the hub has of a session, a run or a workspace. Chunks count only when a manifest names their stream. */
export interface Manifest {
  readonly version: 1;
  /** False while the bytes that `documents` describe are still on their way. */
  readonly whole: boolean;
  readonly items: readonly Item[];
  /** Small files that are replaced as a whole. */
  readonly documents: Readonly<Record<string, string>>;
}

export const emptyManifest: Manifest = { version: 1, whole: true, items: [], documents: {} };

/** Undefined when the text is not a manifest of this version. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isManifest(value) ? (value as Manifest) : undefined;
  } catch {
    return undefined;
  }
}

const isItem = has({ name: isText, stream: isText, size: isAmount, link: isText, hash: isText });
const isManifest = has({
  version: (value) => value === 1,
  whole: isFlag,
  items: (value) => Array.isArray(value) && value.every(isItem),
  documents: (value) => typeof value === "object" && value !== null && Object.values(value).every(isText),
});

// What a ciphertext is bound to: elsewhere it cannot be opened.

export const manifestBinding = (subject: string, seq: number): string => `manifest|${subject}|${seq}`;

export const chunkBinding = (subject: string, stream: string, start: number, previous: string): string =>
  `chunk|${subject}|${stream}|${start}|${previous}`;
