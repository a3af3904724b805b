import { asObject, asText, type JsonObject } from "./json-object.ts";

/** One line while it passes: its bytes, without the LF, are valid only during the visit. */
export interface TranscriptLine {
  /** Counted from 1. */
  number: number;
  offset: number;
  bytes: Uint8Array;
  /** False for what follows the last LF: not yet a line. */
  ended: boolean;
}

const newline = 0x0a;

/** Cuts a stream of bytes into lines. LF ends a line and nothing else does; memory is that of the longest line. */
export class TranscriptReader {
  readonly #visit: (line: TranscriptLine) => void;
  #begun: Uint8Array[] = [];
  #offset = 0;
  #number = 1;

  constructor(visit: (line: TranscriptLine) => void) {
    this.#visit = visit;
  }

  feed(bytes: Uint8Array): void {
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      this.#hand(bytes.subarray(start, end), true);
      start = end + 1;
    }
    // The memory of what is fed may be used again: what is kept of it must be a copy.
    if (start < bytes.length) this.#begun.push(bytes.slice(start));
  }

  /** After the last bytes: hands over what no LF has ended. */
  end(): void {
    if (this.#begun.length > 0) this.#hand(new Uint8Array(), false);
  }

  #hand(last: Uint8Array, ended: boolean): void {
    const bytes = this.#begun.length === 0 ? last : joinBytes([...this.#begun, last]);
    this.#begun = [];
    this.#visit({ number: this.#number, offset: this.#offset, bytes, ended });
    this.#offset += bytes.length + 1;
    this.#number++;
  }
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** What we need to know of a record; everything else in it stays as it is, in its bytes. */
export interface TranscriptRecord {
  type: string | undefined;
  uuid: string | undefined;
  /** Undefined when it does not say, which is not the same as null. */
  parent: string | null | undefined;
  sessionId: string | undefined;
  timestamp: string | undefined;
  /** A compaction starts a chain of its own, by design. */
  isBoundary: boolean;
  /** A subagent's line, as old versions wrote them into the same file. */
  isSidechain: boolean;
  /** Words of the user, and not the result of a tool. */
  isPrompt: boolean;
  calls: readonly string[];
  results: readonly string[];
}

// Claude reads what is no UTF-8 with replacement characters; so do we. A BOM is content.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export const decodeLine = (bytes: Uint8Array): string => decoder.decode(bytes);

/** Undefined when the text is not one JSON object. */
export function parseRecord(text: string): TranscriptRecord | undefined {
  let fields: JsonObject | undefined;
  try {
    fields = asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
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
