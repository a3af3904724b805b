import type { IdTable } from "./id-table.ts";
import type { Scanner } from "./scanner.ts";

/** In 32-bit words; assembly/output.ts describes them. */
export const entrySize = 11;
const toolSize = 3;
const call = 1;

/** The same values as in assembly/output.ts. */
export const flag = {
  isRecord: 1,
  hasUuid: 2,
  hasParent: 4,
  parentIsNull: 8,
  isBoundary: 16,
  isSidechain: 32,
  isMeta: 64,
  isUser: 128,
  isAssistant: 256,
  isSystem: 512,
  hasOtherSession: 1024,
  hasResults: 2048,
} as const;

/** A view of what the scanner found in one line. One object is moved from line to line. */
export class ScannedRecord {
  readonly #memory: Uint8Array;
  readonly #words: Int32Array;
  readonly #entries: number;
  #at = 0;
  #flags = 0;
  /** Counted from 1. */
  number = 0;
  offset = 0;

  constructor({ memory, words, entries }: Scanner) {
    this.#memory = memory;
    this.#words = words;
    this.#entries = entries;
  }

  show(index: number, number: number, offset: number): void {
    this.#at = this.#entries + index * entrySize;
    this.#flags = this.#word(2);
    this.number = number;
    this.offset = offset;
  }

  /** Position of the line in the scanner's memory. */
  get from(): number {
    return this.#word(0);
  }
  get to(): number {
    return this.#word(1);
  }
  get length(): number {
    return this.to - this.from;
  }

  /** False when the scanner did not understand the line. It may be damaged, or only unusual. */
  get isRecord(): boolean {
    return (this.#flags & flag.isRecord) !== 0;
  }
  get hasUuid(): boolean {
    return (this.#flags & flag.hasUuid) !== 0;
  }
  get isBoundary(): boolean {
    return (this.#flags & flag.isBoundary) !== 0;
  }
  get isSidechain(): boolean {
    return (this.#flags & flag.isSidechain) !== 0;
  }
  get isSpoken(): boolean {
    return (this.#flags & (flag.isUser | flag.isAssistant)) !== 0;
  }
  get isSystem(): boolean {
    return (this.#flags & flag.isSystem) !== 0;
  }
  get isPrompt(): boolean {
    return (this.#flags & (flag.isUser | flag.isMeta | flag.hasResults)) === flag.isUser;
  }

  get isAnswer(): boolean {
    return (this.#flags & flag.isAssistant) !== 0;
  }

  /** The bytes of the record's session id, when it may differ from the expected one. */
  get otherSession(): Uint8Array | undefined {
    const hasOtherSession = (this.#flags & flag.hasOtherSession) !== 0;
    return hasOtherSession ? this.#memory.subarray(this.#word(7), this.#word(8)) : undefined;
  }

  uuid(ids: IdTable): number {
    return ids.internHash(this.#word(3), this.#word(4));
  }

  parent(ids: IdTable): number | null | undefined {
    if ((this.#flags & flag.hasParent) !== 0) return ids.internHash(this.#word(5), this.#word(6));
    return (this.#flags & flag.parentIsNull) === 0 ? undefined : null;
  }

  /** Number of ids of tool calls and results. */
  get tools(): number {
    return (this.#word(10) - this.#word(9)) / (4 * toolSize);
  }

  isCall(index: number): boolean {
    return this.#words[this.#word(9) / 4 + index * toolSize] === call;
  }

  toolId(index: number, ids: IdTable): number {
    const at = this.#word(9) / 4 + index * toolSize;
    return ids.internHash(this.#words[at + 1] ?? 0, this.#words[at + 2] ?? 0);
  }

  #word(index: number): number {
    return this.#words[this.#at + index] ?? 0;
  }
}
