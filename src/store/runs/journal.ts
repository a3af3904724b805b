import { appendRange } from "../../io/durable/durable.ts";
import { fileSize, readBytes } from "../../io/files/read-file.ts";

/** One line of a run's journal. `n` counts from 1, without gaps. */
export interface JournalEntry {
  readonly n: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly kind: string;
  readonly [field: string]: unknown;
}

export interface JournalReading {
  readonly entries: readonly JournalEntry[];
  /** The end of the last complete entry: bytes beyond were never acknowledged. */
  readonly size: number;
}

const newline = 0x0a;
const checksumField = /,"crc":"([0-9a-f]{8})"\}$/;

/** Every line ends with a checksum of the text before it, so that it is readable and verifiable. */
export function readJournal(path: string): JournalReading {
  const bytes = readBytes(path) ?? new Uint8Array();
  const entries: JournalEntry[] = [];
  let size = 0;
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(newline, from);
    if (end < 0) break;
    const entry = parseEntry(bytes.subarray(from, end));
    from = end + 1;
    if (entry === undefined) continue;
    entries.push(entry);
    size = from;
  }
  return { entries, size };
}

/** Appends to a journal. Only one process writes it at a time: the holder of the run's lock. */
export class Journal {
  readonly #path: string;
  #size: number;
  #count: number;

  constructor(path: string) {
    this.#path = path;
    const { entries, size } = readJournal(path);
    this.#size = size;
    this.#count = entries.at(-1)?.n ?? 0;
  }

  /** Whether the file still has all appended entries; other programs can change it. */
  get isComplete(): boolean {
    return (fileSize(this.#path) ?? 0) >= this.#size && this.#size > 0;
  }

  /** The entry is on disk when it returns. */
  append(time: number, kind: string, fields: Readonly<Record<string, unknown>> = {}): void {
    const line = new TextEncoder().encode(lineOf(this.#count + 1, time, kind, fields));
    this.#size = appendRange({ target: this.#path, at: this.#size, source: line, from: 0, to: line.length });
    this.#count += 1;
  }
}

function lineOf(n: number, time: number, kind: string, fields: object): string {
  const body = JSON.stringify({ n, time, kind, ...fields }).slice(0, -1);
  return `${body},"crc":"${checksum(body)}"}\n`;
}

/** A whole new journal with these entries. */
export const journalText = (time: number, entries: readonly { readonly kind: string }[]): string =>
  entries.map(({ kind, ...fields }, index) => lineOf(index + 1, time, kind, fields)).join("");

function parseEntry(line: Uint8Array): JournalEntry | undefined {
  const text = new TextDecoder().decode(line);
  const match = checksumField.exec(text);
  if (!match || checksum(text.slice(0, match.index)) !== match[1]) return undefined;
  return JSON.parse(text) as JournalEntry;
}

const checksum = (text: string): string => Bun.hash.crc32(text).toString(16).padStart(8, "0");
