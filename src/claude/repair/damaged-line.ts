import { decodeLine, parseRecord, type TranscriptRecord } from "../transcript/transcript.ts";

/** A part of a line that is not a single record. Offsets are within the line. */
export type LineFragment =
  | {
      kind: "record";
      from: number;
      to: number;
      record: TranscriptRecord;
      /** The record's bytes, when NULs were removed from them. */
      bytes?: Uint8Array;
    }
  | { kind: "nul" | "garbage"; from: number; to: number };

const brace = { open: 0x7b, close: 0x7d };
const quote = 0x22;
const backslash = 0x5c;
/** Bounds the search in a line with many record starts or NULs, which is not a transcript. */
const maxAttempts = 5_000;
const maxSearchedBytes = 50_000_000;

/** What is left of these bounds, for all parts of one line. */
interface Budget {
  attempts: number;
  bytes: number;
}

/** Finds whole records in a damaged line: joined to others, to NULs, or to a torn record. */
export function splitDamagedLine(line: Uint8Array): LineFragment[] {
  const holes = line.includes(0);
  if (holes) {
    const withoutNuls = removeNuls(line);
    const record = toplevelRecord(withoutNuls);
    if (record) return [{ kind: "record", from: 0, to: line.length, record, bytes: withoutNuls }];
  }
  const fragments: LineFragment[] = [];
  // At least a few times the line's length, because a long torn record may come before a whole one.
  const budget: Budget = { attempts: maxAttempts, bytes: maxSearchedBytes + 4 * line.length };
  let at = 0;
  while (at < line.length && budget.attempts > 0) {
    const isNul = line[at] === 0;
    let to = at;
    if (isNul) while (to < line.length && line[to] === 0) to++;
    else to = nextOr(line.indexOf(0, at), line.length);
    if (isNul) fragments.push({ kind: "nul", from: at, to });
    else fragments.push(...splitRecords(line, at, to, budget));
    at = to;
  }
  if (at < line.length) fragments.push({ kind: "garbage", from: at, to: line.length });
  return fragments;
}

export function countNuls(line: Uint8Array): number {
  let count = 0;
  for (let at = line.indexOf(0); at >= 0 && at < line.length; at++) if (line[at] === 0) count++;
  return count;
}

function removeNuls(line: Uint8Array): Uint8Array {
  const kept = new Uint8Array(line.length);
  let size = 0;
  for (let at = 0; at < line.length; at++) {
    const byte = line[at] ?? 0;
    if (byte !== 0) kept[size++] = byte;
  }
  return kept.subarray(0, size);
}

/** The uuids in damaged bytes. Their children have a damaged parent, not a missing one. */
export function namedIds(line: Uint8Array): string[] {
  return [...decodeLine(line).matchAll(/"uuid":"([^"\\]{1,64})"/g)].map((match) => match[1] ?? "");
}

function splitRecords(whole: Uint8Array, from: number, to: number, budget: Budget): LineFragment[] {
  // No search may run beyond the end: with many parts that would be quadratic.
  const line = whole.subarray(0, to);
  const fragments: LineFragment[] = [];
  let garbage = from;
  let at = from;
  for (; at < to && budget.attempts > 0 && budget.bytes > 0; budget.attempts--) {
    const end = line[at] === brace.open ? objectEnd(line, at, to) : undefined;
    budget.bytes -= (end ?? to) - at;
    const record = end === undefined ? undefined : toplevelRecord(line.subarray(at, end));
    if (record && end !== undefined) {
      if (garbage < at) fragments.push({ kind: "garbage", from: garbage, to: at });
      fragments.push({ kind: "record", from: at, to: end, record });
      garbage = at = end;
    } else {
      at = nextRecordStart(line, at + 1, to);
    }
  }
  if (garbage < to) fragments.push({ kind: "garbage", from: garbage, to });
  return fragments;
}

// A nested object can look like a record, but has no uuid and no session.
function toplevelRecord(bytes: Uint8Array): TranscriptRecord | undefined {
  const text = decodeLine(bytes);
  const record = parseRecord(text);
  if (!record || record.type === undefined) return undefined;
  const belongs = record.uuid ?? record.sessionId;
  return belongs !== undefined || /^\{"type":"(summary|file-history-snapshot)"/.test(text) ? record : undefined;
}

/** The end of the object that starts here, by its braces. */
function objectEnd(line: Uint8Array, from: number, to: number): number | undefined {
  let depth = 0;
  for (let at = from; at < to; at++) {
    const byte = line[at];
    if (byte === quote) at = stringEnd(line, at + 1, to);
    else if (byte === brace.open) depth++;
    else if (byte === brace.close && --depth === 0) return at + 1;
  }
  return undefined;
}

/** In a short string a loop is fastest, in a long one the runtime's own search. */
const shortStringLength = 64;

/** The quote that ends the string which starts here; `to` when there is none. */
function stringEnd(line: Uint8Array, from: number, to: number): number {
  let at = from;
  for (const near = Math.min(to, from + shortStringLength); at < near; at++) {
    if (line[at] === backslash) at++;
    else if (line[at] === quote) return at;
  }
  for (let end = line.indexOf(quote, at); end >= 0 && end < to; end = line.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (end - escapes > at && line[end - escapes - 1] === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return to;
}

function nextRecordStart(line: Uint8Array, from: number, to: number): number {
  for (let at = line.indexOf(brace.open, from); at >= 0 && at < to - 1; at = line.indexOf(brace.open, at + 1)) {
    if (line[at + 1] === quote) return at;
  }
  return to;
}

const nextOr = (found: number, otherwise: number): number => (found < 0 ? otherwise : found);
