import { asObject, asText, type JsonObject, parseObject } from "../json-object.ts";

/** One line of a stream. `bytes` has no LF and is valid only during the visit. */
export interface TranscriptLine {
  /** Counted from 1. */
  number: number;
  offset: number;
  bytes: Uint8Array;
  /** False for the bytes after the last LF. */
  ended: boolean;
}

const newline = 0x0a;

/** Splits a stream of bytes into lines at each LF. Holds at most one line in memory. */
export class TranscriptReader {
  readonly #visit: (line: TranscriptLine) => void;
  #unfinished: Uint8Array[] = [];
  #offset = 0;
  #number = 1;

  constructor(visit: (line: TranscriptLine) => void) {
    this.#visit = visit;
  }

  feed(bytes: Uint8Array): void {
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      this.#visitLine(bytes.subarray(start, end), true);
      start = end + 1;
    }
    // The caller may reuse its buffer, so the unfinished line is copied.
    if (start < bytes.length) this.#unfinished.push(bytes.slice(start));
  }

  /** Call after the last bytes: visits an unfinished last line. */
  end(): void {
    if (this.#unfinished.length > 0) this.#visitLine(new Uint8Array(), false);
  }

  #visitLine(last: Uint8Array, ended: boolean): void {
    const bytes = joinBytes([...this.#unfinished, last]);
    this.#unfinished = [];
    this.#visit({ number: this.#number, offset: this.#offset, bytes, ended });
    this.#offset += bytes.length + 1;
    this.#number++;
  }
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** The fields of a transcript record that we use. */
export interface TranscriptRecord {
  type: string | undefined;
  uuid: string | undefined;
  /** Undefined when the field is missing. Null means: the record is a root. */
  parent: string | null | undefined;
  sessionId: string | undefined;
  timestamp: string | undefined;
  /** A compaction, which starts a new chain by design. */
  isBoundary: boolean;
  /** A subagent's line. Old versions write them into the same file. */
  isSidechain: boolean;
  /** A message of the user, not a tool result. */
  isPrompt: boolean;
  /** A message of Claude. */
  isAnswer: boolean;
  calls: readonly string[];
  results: readonly string[];
}

// Invalid UTF-8 becomes replacement characters, as in Claude. A byte order mark is content.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export const decodeLine = (bytes: Uint8Array): string => decoder.decode(bytes);

/** Undefined when the text is not one JSON object. */
export function parseRecord(text: string): TranscriptRecord | undefined {
  const fields = parseObject(text);
  return fields && describe(fields);
}

const none: readonly string[] = [];

function describe(fields: JsonObject): TranscriptRecord {
  const uuid = asText(fields["uuid"]);
  const parent = fields["parentUuid"];
  const type = asText(fields["type"]);
  const content = uuid === undefined ? undefined : asObject(fields["message"])?.["content"];
  const results = Array.isArray(content) ? toolIds(content, "tool_result", "tool_use_id") : none;
  return {
    type,
    uuid,
    parent: parent === null || typeof parent === "string" ? parent : undefined,
    sessionId: asText(fields["sessionId"]),
    timestamp: asText(fields["timestamp"]),
    isBoundary: fields["subtype"] === "compact_boundary",
    isSidechain: fields["isSidechain"] === true,
    isPrompt: type === "user" && fields["isMeta"] !== true && results.length === 0,
    isAnswer: type === "assistant",
    calls: Array.isArray(content) ? toolIds(content, "tool_use", "id") : none,
    results,
  };
}

function toolIds(content: readonly unknown[], type: string, key: string): readonly string[] {
  let ids: string[] | undefined;
  for (const block of content) {
    const fields = asObject(block);
    const id = fields?.["type"] === type ? asText(fields[key]) : undefined;
    if (id !== undefined) (ids ??= []).push(id);
  }
  return ids ?? none;
}
