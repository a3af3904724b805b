import { decodeLine, parseRecord, type TranscriptRecord } from "./transcript.ts";

/** A part of a line that is not one record. Offsets are within the line. */
export type Fragment =
  | {
      kind: "record";
      from: number;
      to: number;
      record: TranscriptRecord;
      /** When cut out of the bytes. */ bytes?: Uint8Array;
    }
  | { kind: "nul" | "garbage"; from: number; to: number };

const brace = { open: 0x7b, close: 0x7d };
const quote = 0x22;
const backslash = 0x5c;
/** A line with so many beginnings, each of them long, is no transcript; trying them all would take for ever. */
const mostAttempts = 5_000;
const mostBytes = 50_000_000;

/** Finds the whole records in a damaged line: those glued to others, to NULs, or to the beginning of a torn one. */
export function salvageLine(line: Uint8Array): Fragment[] {
  const holes = line.includes(0);
  if (holes) {
    const mended = line.filter((byte) => byte !== 0);
    const record = toplevelRecord(mended);
    if (record) return [{ kind: "record", from: 0, to: line.length, record, bytes: mended }];
  }
  const fragments: Fragment[] = [];
  let at = 0;
  while (at < line.length) {
    const isNul = line[at] === 0;
    let to = at;
    if (isNul) while (to < line.length && line[to] === 0) to++;
    else to = nextOr(line.indexOf(0, at), line.length);
    if (isNul) fragments.push({ kind: "nul", from: at, to });
    else fragments.push(...splitRecords(line, at, to));
    at = to;
  }
  return fragments;
}

/** The ids that damaged bytes still name, so that what hangs on them can be told from what hangs on nothing. */
export function namedIds(line: Uint8Array): string[] {
  return [...decodeLine(line).matchAll(/"uuid":"([^"\\]{1,64})"/g)].map((match) => match[1] ?? "");
}

function splitRecords(line: Uint8Array, from: number, to: number): Fragment[] {
  const fragments: Fragment[] = [];
  let garbage = from;
  let at = from;
  // In any case a line's own length, a few times over: a long torn record may stand before a whole one.
  let bytesLeft = mostBytes + 4 * (to - from);
  for (let attempts = 0; at < to && attempts < mostAttempts && bytesLeft > 0; attempts++) {
    const end = line[at] === brace.open ? objectEnd(line, at, to) : undefined;
    bytesLeft -= (end ?? to) - at;
    const record = end === undefined ? undefined : toplevelRecord(line.subarray(at, end));
    if (record && end !== undefined) {
      if (garbage < at) fragments.push({ kind: "garbage", from: garbage, to: at });
      fragments.push({ kind: "record", from: at, to: end, record });
      garbage = at = end;
    } else {
      at = nextBeginning(line, at + 1, to);
    }
  }
  if (garbage < to) fragments.push({ kind: "garbage", from: garbage, to });
  return fragments;
}

// What lies inside a record can look like one too, but names no session, conversation or place in the tree.
function toplevelRecord(bytes: Uint8Array): TranscriptRecord | undefined {
  const text = decodeLine(bytes);
  const record = parseRecord(text);
  if (!record || record.type === undefined) return undefined;
  const belongs = record.uuid ?? record.sessionId;
  return belongs !== undefined || /^\{"type":"(summary|file-history-snapshot)"/.test(text) ? record : undefined;
}

/** The end of the object that begins here, found by its braces alone. */
function objectEnd(line: Uint8Array, from: number, to: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = from; at < to; at++) {
    const byte = line[at];
    if (inString) {
      if (byte === backslash) at++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === brace.open) depth++;
    else if (byte === brace.close && --depth === 0) return at + 1;
  }
  return undefined;
}

function nextBeginning(line: Uint8Array, from: number, to: number): number {
  for (let at = line.indexOf(brace.open, from); at >= 0 && at < to - 1; at = line.indexOf(brace.open, at + 1)) {
    if (line[at + 1] === quote) return at;
  }
  return to;
}

const nextOr = (found: number, otherwise: number): number => (found < 0 ? otherwise : found);
