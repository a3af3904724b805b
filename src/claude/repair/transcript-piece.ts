import { loneSurrogates } from "./broken-text.ts";
import { namedIds, splitDamagedLine } from "./damaged-line.ts";
import {
  decodeLine,
  parseRecord,
  type TranscriptLine,
  TranscriptReader,
  type TranscriptRecord,
} from "../transcript/transcript.ts";
import type { ByteTools } from "./verify-transcript.ts";

/** A part of a transcript: a record, reduced to what a plan needs, or bytes that are not a record. */
export interface TranscriptPiece {
  /** 0 for the transcript, otherwise the number of the snapshot's generation. */
  source: number;
  /** Counted from 1. */
  line: number;
  from: number;
  to: number;
  hash: number;
  /** Undefined for bytes that are not a record. */
  record: TranscriptRecord | undefined;
  /** The bytes to write instead; set when NULs were removed. */
  bytes?: Uint8Array;
  /** It has invalid UTF-8 or lone surrogates. */
  isMangled: boolean;
  /** The uuids in bytes that are not a record. */
  names?: readonly string[];
}

const none: readonly string[] = [];

/** Splits a stream into pieces. */
export class PieceReader {
  readonly pieces: TranscriptPiece[] = [];
  readonly #tools: ByteTools;
  readonly #source: number;
  /** One copy of each text, because most records repeat the same values. */
  readonly #texts = new Map<string, string>();
  #lastUuid: string | undefined;
  readonly #reader = new TranscriptReader((line) => this.#cut(line));

  constructor(source: number, tools: ByteTools) {
    this.#source = source;
    this.#tools = tools;
  }

  feed(bytes: Uint8Array): void {
    this.#reader.feed(bytes);
  }

  finish(): TranscriptPiece[] {
    this.#reader.end();
    return this.pieces;
  }

  #cut(line: TranscriptLine): void {
    const { bytes } = line;
    if (bytes.length === 0) return;
    const text = decodeLine(bytes);
    const record = parseRecord(text);
    if (record) {
      this.#add(line, { from: 0, to: bytes.length, record }, text);
      return;
    }
    for (const fragment of splitDamagedLine(bytes)) {
      if (fragment.kind === "record") this.#add(line, fragment, decodeLine(bytes.subarray(fragment.from, fragment.to)));
      else this.#add(line, { ...fragment, record: undefined }, undefined);
    }
  }

  #add(
    { number, offset, bytes: line }: TranscriptLine,
    { from, to, record, bytes }: { from: number; to: number; record: TranscriptRecord | undefined; bytes?: Uint8Array },
    text: string | undefined,
  ): void {
    const own = line.subarray(from, to);
    const isMangled = text !== undefined && (!this.#tools.isUtf8(own) || loneSurrogates(text).length > 0);
    const place = { source: this.#source, line: number, from: offset + from, to: offset + to };
    const slim = record && this.#slim(record);
    const piece: TranscriptPiece = { ...place, hash: this.#tools.hash(bytes ?? own), record: slim, isMangled };
    if (bytes) piece.bytes = bytes;
    if (!record) piece.names = namedIds(own);
    this.pieces.push(piece);
  }

  /** Keeps a record small, because a plan holds all records of a file at once. */
  #slim(record: TranscriptRecord): TranscriptRecord {
    const { type, sessionId, parent, uuid } = record;
    const isNext = parent !== undefined && parent === this.#lastUuid;
    const slim = { ...record, type: this.#once(type), sessionId: this.#once(sessionId), calls: none, results: none };
    if (isNext) slim.parent = this.#lastUuid;
    this.#lastUuid = uuid;
    return slim;
  }

  #once(text: string | undefined): string | undefined {
    if (text === undefined) return undefined;
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }
}
