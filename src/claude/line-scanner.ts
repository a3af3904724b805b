import { KeptEntries } from "./kept-entries.ts";
import { ScannedRecord } from "./scanned-record.ts";
import type { Scanner } from "./scanner.ts";
import { joinBytes, type TranscriptLine } from "./transcript.ts";

export interface LineVisitor {
  /** A line that is one record, as `parseRecord` would understand it, in valid UTF-8 and without halves of characters. */
  visitRecord(record: ScannedRecord): void;
  /** Any other: damaged, or only unusual. Its bytes are valid only during the visit. */
  visitLine(line: TranscriptLine): void;
  /** All lines at once instead, when every one is a record and nothing is to be said of any. */
  visitHealthy?(counts: HealthyCounts): void;
}

interface HealthyCounts {
  records: number;
  /** Those of them in which the user or Claude speaks. */
  spoken: number;
}

interface LineScannerOptions {
  /** Records of this one need not be told apart from those that name none. */
  sessionId: string | undefined;
  isUtf8(bytes: Uint8Array): boolean;
}

const newline = 0x0a;
const pieceSize = 1 << 20;

/** Cuts a stream of bytes into lines, as `TranscriptReader` does, and has the scanner look at as many at once as there are. */
export class LineScanner {
  readonly #scanner: Scanner;
  readonly #visitor: LineVisitor;
  readonly #isUtf8: (bytes: Uint8Array) => boolean;
  readonly #record: ScannedRecord;
  /** Of all lines so far, as long as they are healthy and nobody was told of them. */
  readonly #kept: KeptEntries;
  #isQuiet: boolean;
  /** Where the next bytes go, always the same: memory is filled fastest at a round address. */
  readonly #input: number;
  /** Where a line that has only begun starts, in front of them. */
  #begin: number;
  /** What came before of a line that is longer than the scanner's memory. */
  #begun: Uint8Array[] = [];
  #offset = 0;
  #number = 1;

  constructor(scanner: Scanner, { sessionId, isUtf8 }: LineScannerOptions, visitor: LineVisitor) {
    this.#scanner = scanner;
    this.#visitor = visitor;
    this.#isUtf8 = isUtf8;
    this.#record = new ScannedRecord(scanner);
    this.#kept = new KeptEntries(scanner);
    this.#isQuiet = visitor.visitHealthy !== undefined;
    scanner.expectHealth();
    this.#input = scanner.bufferEnd - pieceSize;
    this.#begin = this.#input;
    // Any other is compared by whoever is told of a stranger: bytes and characters are then not the same.
    const isPlain = sessionId !== undefined && sessionId.length <= scanner.mostSession && /^[ -~]*$/.test(sessionId);
    const session = new TextEncoder().encode(isPlain ? sessionId : "");
    scanner.memory.set(session, scanner.session);
    scanner.words[scanner.sessionLength] = sessionId === undefined ? -1 : session.length;
  }

  /** Where bytes may be put before they are fed: they need not be copied then. */
  spaceForNext(): Uint8Array {
    return this.#scanner.memory.subarray(this.#input, this.#input + pieceSize);
  }

  feed(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; from += pieceSize) this.#feedPiece(bytes.subarray(from, from + pieceSize));
  }

  /** After the last bytes: hands over what no LF has ended. */
  end(): void {
    const last = this.#scanner.memory.subarray(this.#begin, this.#input);
    if (this.#begun.length > 0 || last.length > 0) this.#handLong(last, false);
    if (this.#isQuiet && this.#scanner.wasHealthy() === 0) this.#tellAll();
    if (this.#isQuiet) this.#visitor.visitHealthy?.({ records: this.#kept.count, spoken: this.#scanner.countSpoken() });
  }

  #feedPiece(bytes: Uint8Array): void {
    const { memory } = this.#scanner;
    const isThere = bytes.buffer === memory.buffer && bytes.byteOffset === this.#input;
    if (!isThere) memory.set(bytes, this.#input);
    const end = this.#input + bytes.length;
    const linesEnd = this.#input + bytes.lastIndexOf(newline) + 1;
    if (linesEnd > this.#input) this.#endLines(linesEnd);
    this.#keep(end);
  }

  #endLines(to: number): void {
    const { memory } = this.#scanner;
    if (this.#begun.length > 0) {
      const first = memory.indexOf(newline, this.#begin);
      this.#handLong(memory.subarray(this.#begin, first), true);
      this.#begin = first + 1;
    }
    this.#scan(this.#begin, to);
    this.#begin = to;
  }

  /** Moves a line that has only begun in front of where the next bytes go. */
  #keep(end: number): void {
    const { memory, buffer } = this.#scanner;
    const begin = this.#input - (end - this.#begin);
    if (begin < buffer) {
      this.#begun.push(memory.slice(this.#begin, end));
      this.#begin = this.#input;
    } else {
      memory.copyWithin(begin, this.#begin, end);
      this.#begin = begin;
    }
  }

  #scan(from: number, to: number): void {
    const { memory, scanLines, isHealthy } = this.#scanner;
    // Of all at once: that is many times as fast, and an LF belongs to no other character.
    const isUtf8 = this.#isUtf8(memory.subarray(from, to));
    for (let next = from; next < to;) {
      const count = scanLines(next, to);
      this.#record.show(count - 1, this.#number, this.#offset);
      next = this.#record.to + 1;
      if (!this.#isQuiet) {
        this.#tell(count, isUtf8);
        continue;
      }
      this.#kept.keep(count);
      if (!isUtf8 || isHealthy() === 0) this.#tellAll(isUtf8);
    }
  }

  /** Of what was kept so far; from now on, every line is told of. Only of the last lines the bytes are still there. */
  #tellAll(isUtf8 = true): void {
    this.#isQuiet = false;
    this.#kept.replay((count, isLast) => this.#tell(count, isUtf8 || !isLast));
  }

  #tell(count: number, isUtf8: boolean): void {
    const { memory } = this.#scanner;
    const record = this.#record;
    for (let index = 0; index < count; index++) {
      record.show(index, this.#number, this.#offset);
      if (record.isRecord && (isUtf8 || this.#isUtf8(memory.subarray(record.from, record.to)))) {
        this.#visitor.visitRecord(record);
        this.#count(record.length);
      } else {
        this.#hand(memory.subarray(record.from, record.to), true);
      }
    }
  }

  #handLong(last: Uint8Array, ended: boolean): void {
    if (this.#isQuiet) this.#tellAll();
    const bytes = this.#begun.length === 0 ? last : joinBytes([...this.#begun, last]);
    this.#begun = [];
    this.#hand(bytes, ended);
  }

  #hand(bytes: Uint8Array, ended: boolean): void {
    this.#visitor.visitLine({ number: this.#number, offset: this.#offset, bytes, ended });
    this.#count(bytes.length);
  }

  #count(length: number): void {
    this.#offset += length + 1;
    this.#number++;
  }
}
