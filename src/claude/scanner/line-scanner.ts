import { EntryBacklog } from "./entry-backlog.ts";
import { ScannedRecord } from "./scanned-record.ts";
import type { Scanner } from "./scanner.ts";
import { joinBytes, type TranscriptLine } from "../transcript/transcript.ts";

export interface LineVisitor {
  /** A line with one record, with the same fields as `parseRecord` reads, in valid UTF-8 and without lone surrogates. */
  visitRecord(record: ScannedRecord): void;
  /** Any other line: damaged, or only unusual. Its bytes are valid only during the visit. */
  visitLine(line: TranscriptLine): void;
  /** Replaces all other calls when every line is a healthy record of one branch. */
  visitHealthy?(counts: HealthyCounts): void;
}

interface HealthyCounts {
  records: number;
  /** Messages of the user and Claude among them. */
  spoken: number;
}

interface LineScannerOptions {
  /** Records of this session count like records without a session. */
  sessionId: string | undefined;
  isUtf8(bytes: Uint8Array): boolean;
}

const newline = 0x0a;
const pieceSize = 1 << 20;

/** Splits a stream of bytes into lines, as `TranscriptReader` does, and scans many lines at once. */
export class LineScanner {
  readonly #scanner: Scanner;
  readonly #visitor: LineVisitor;
  readonly #isUtf8: (bytes: Uint8Array) => boolean;
  readonly #record: ScannedRecord;
  /** Lines not yet passed to the visitor, because all lines so far are healthy. */
  readonly #backlog: EntryBacklog;
  #isHealthySoFar: boolean;
  /** Where the next bytes are put. The address is aligned, because that is fastest. */
  readonly #input: number;
  /** Start of the unfinished line, which ends at `#input`. */
  #begin: number;
  /** Earlier parts of a line that is longer than the scanner's memory. */
  #longLine: Uint8Array[] = [];
  #offset = 0;
  #number = 1;

  constructor(scanner: Scanner, { sessionId, isUtf8 }: LineScannerOptions, visitor: LineVisitor) {
    this.#scanner = scanner;
    this.#visitor = visitor;
    this.#isUtf8 = isUtf8;
    this.#record = new ScannedRecord(scanner);
    this.#backlog = new EntryBacklog(scanner);
    this.#isHealthySoFar = visitor.visitHealthy !== undefined;
    scanner.expectHealth();
    this.#input = scanner.bufferEnd - pieceSize;
    this.#begin = this.#input;
    // The scanner compares only ASCII session ids. For others the visitor compares the text.
    const isPlain =
      sessionId !== undefined && sessionId.length <= scanner.maxSessionLength && /^[ -~]*$/.test(sessionId);
    const session = new TextEncoder().encode(isPlain ? sessionId : "");
    scanner.memory.set(session, scanner.session);
    scanner.words[scanner.sessionLength] = sessionId === undefined ? -1 : session.length;
  }

  /** A buffer for the next bytes. Feeding it saves a copy. */
  spaceForNext(): Uint8Array {
    return this.#scanner.memory.subarray(this.#input, this.#input + pieceSize);
  }

  feed(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; from += pieceSize) this.#feedPiece(bytes.subarray(from, from + pieceSize));
  }

  /** Call after the last bytes: visits an unfinished last line. */
  end(): void {
    const last = this.#scanner.memory.subarray(this.#begin, this.#input);
    if (this.#longLine.length > 0 || last.length > 0) this.#visitLongLine(last, false);
    const isHealthy = this.#isHealthySoFar && this.#scanner.wasHealthy() !== 0 && !this.#backlog.mayFork();
    if (this.#isHealthySoFar && !isHealthy) this.#visitBacklog();
    if (this.#isHealthySoFar)
      this.#visitor.visitHealthy?.({ records: this.#backlog.count, spoken: this.#scanner.countSpoken() });
  }

  #feedPiece(bytes: Uint8Array): void {
    const { memory } = this.#scanner;
    const isThere = bytes.buffer === memory.buffer && bytes.byteOffset === this.#input;
    if (!isThere) memory.set(bytes, this.#input);
    const end = this.#input + bytes.length;
    const linesEnd = this.#input + bytes.lastIndexOf(newline) + 1;
    if (linesEnd > this.#input) this.#endLines(linesEnd);
    this.#moveUnfinished(end);
  }

  #endLines(to: number): void {
    const { memory } = this.#scanner;
    if (this.#longLine.length > 0) {
      const first = memory.indexOf(newline, this.#begin);
      this.#visitLongLine(memory.subarray(this.#begin, first), true);
      this.#begin = first + 1;
    }
    this.#scan(this.#begin, to);
    this.#begin = to;
  }

  /** Moves the unfinished line to just before `#input`. */
  #moveUnfinished(end: number): void {
    const { memory, buffer } = this.#scanner;
    const begin = this.#input - (end - this.#begin);
    if (begin < buffer) {
      this.#longLine.push(memory.slice(this.#begin, end));
      this.#begin = this.#input;
    } else {
      memory.copyWithin(begin, this.#begin, end);
      this.#begin = begin;
    }
  }

  #scan(from: number, to: number): void {
    const { memory, scanLines, isHealthy } = this.#scanner;
    // Checks all lines at once, which is much faster. An LF is never part of another character.
    const isUtf8 = this.#isUtf8(memory.subarray(from, to));
    for (let next = from; next < to;) {
      const count = scanLines(next, to);
      this.#record.show(count - 1, this.#number, this.#offset);
      next = this.#record.to + 1;
      if (!this.#isHealthySoFar) {
        this.#visitBatch(count, isUtf8);
        continue;
      }
      this.#backlog.add(count);
      if (!isUtf8 || isHealthy() === 0) this.#visitBacklog(isUtf8);
    }
  }

  /** Passes the backlog to the visitor, and from now on every line. Only the last batch still has its bytes in memory. */
  #visitBacklog(isUtf8 = true): void {
    this.#isHealthySoFar = false;
    this.#backlog.replay((count, isLast) => this.#visitBatch(count, isUtf8 || !isLast));
  }

  #visitBatch(count: number, isUtf8: boolean): void {
    const { memory } = this.#scanner;
    const record = this.#record;
    for (let index = 0; index < count; index++) {
      record.show(index, this.#number, this.#offset);
      if (record.isRecord && (isUtf8 || this.#isUtf8(memory.subarray(record.from, record.to)))) {
        this.#visitor.visitRecord(record);
        this.#advance(record.length);
      } else {
        this.#visitLine(memory.subarray(record.from, record.to), true);
      }
    }
  }

  #visitLongLine(last: Uint8Array, ended: boolean): void {
    if (this.#isHealthySoFar) this.#visitBacklog();
    const bytes = joinBytes([...this.#longLine, last]);
    this.#longLine = [];
    this.#visitLine(bytes, ended);
  }

  #visitLine(bytes: Uint8Array, ended: boolean): void {
    this.#visitor.visitLine({ number: this.#number, offset: this.#offset, bytes, ended });
    this.#advance(bytes.length);
  }

  #advance(length: number): void {
    this.#offset += length + 1;
    this.#number++;
  }
}
