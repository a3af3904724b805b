import { loneSurrogates } from "./broken-text.ts";
import { namedIds, salvageLine } from "./salvage.ts";
import { decodeLine, parseRecord, type TranscriptLine, TranscriptReader, type TranscriptRecord } from "./transcript.ts";
import type { ByteTools } from "./verify-transcript.ts";

/** A stretch of a transcript: a record, or bytes that are none. Of a record no more than what a plan needs. */
export interface Piece {
  /** 0 for the transcript itself, otherwise the number of the generation. */
  source: number;
  /** Counted from 1. */
  line: number;
  from: number;
  to: number;
  hash: number;
  /** Undefined for bytes that are no record. */
  record: TranscriptRecord | undefined;
  /** What to write in its place: set when NULs were cut out of it. */
  bytes?: Uint8Array;
  /** It has characters that are none. */
  isMangled: boolean;
  /** The ids that bytes which are no record still name. */
  names?: readonly string[];
}

const none: readonly string[] = [];

/** Cuts one file into its pieces, as it streams past. */
export class PieceReader {
  readonly pieces: Piece[] = [];
  readonly #tools: ByteTools;
  readonly #source: number;
  /** Of each text one copy: most records repeat what others said. */
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

  finish(): Piece[] {
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
    for (const fragment of salvageLine(bytes)) {
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
    const piece: Piece = { ...place, hash: this.#tools.hash(bytes ?? own), record: slim, isMangled };
    if (bytes) piece.bytes = bytes;
    if (!record) piece.names = namedIds(own);
    this.pieces.push(piece);
  }

  /** A plan holds every record of a file at once. */
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
