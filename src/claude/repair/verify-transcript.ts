import { loneSurrogates } from "./broken-text.ts";
import { ChainCheck, type FileAccess, type RecordPlace } from "./chain-check.ts";
import { count, type Defect, losesBefore } from "./defect.ts";
import { LineScanner } from "../scanner/line-scanner.ts";
import { countNuls, type LineFragment, namedIds, splitDamagedLine } from "./damaged-line.ts";
import type { ScannedRecord } from "../scanner/scanned-record.ts";
import type { Scanner } from "../scanner/scanner.ts";
import { ToolCheck } from "./tool-check.ts";
import { parseRecord, type TranscriptLine, TranscriptReader, type TranscriptRecord } from "../transcript/transcript.ts";

/** Native functions, because JavaScript is too slow for them. */
export interface ByteTools {
  /** One character for each byte. Enough for names, ids and escapes, which are ASCII. */
  latin1(bytes: Uint8Array): string;
  isUtf8(bytes: Uint8Array): boolean;
  /** Any good hash that fits into a number. */
  hash(bytes: Uint8Array): number;
}

export interface VerifyOptions extends ByteTools, FileAccess {
  /** The session of the file; undefined when its name is not a session id. */
  sessionId: string | undefined;
  /** Claude is writing the file, so an unfinished last line is normal. */
  isLive: boolean;
  /** Checks healthy records much faster. Without it every line is parsed, with the same result. */
  scanner: Scanner | undefined;
}

export interface Findings {
  size: number;
  lines: number;
  records: number;
  /** In the order of the file, at most `maxDefects`. */
  defects: Defect[];
  /** Number of defects beyond `maxDefects`. */
  more: number;
  damaged: boolean;
}

const maxDefects = 1_000;

/** Checks a transcript in one pass over its bytes. */
export class TranscriptVerifier {
  readonly #options: VerifyOptions;
  readonly #reader: TranscriptReader | LineScanner;
  readonly #chain = new ChainCheck(({ severity = "damage", ...defect }) => this.#report({ severity, ...defect }), {
    // Further defects are only counted.
    isSame: (one, other) => this.#defects.length < maxDefects && this.#options.isSame(one, other),
    readRecord: (range) => (this.#defects.length < maxDefects ? this.#options.readRecord(range) : undefined),
  });
  readonly #tools = new ToolCheck();
  readonly #defects: Defect[] = [];
  readonly #otherSessions = new Map<string, { line: number; offset: number; records: number }>();
  #more = 0;
  #damaged = false;
  #size = 0;
  #lines = 0;
  #records = 0;
  #spoken = 0;
  /** Messages that a repair recovers from damaged lines. */
  #recoverable = 0;
  #lastCall = 0;
  #tail: Defect | undefined;

  constructor(options: VerifyOptions) {
    this.#options = options;
    this.#reader = options.scanner
      ? new LineScanner(options.scanner, options, {
          visitRecord: (record) => this.#checkScanned(record),
          visitLine: (line) => this.#checkLine(line),
          visitHealthy: ({ records, spoken }) => {
            this.#lines = records;
            this.#records = records;
            this.#spoken = spoken;
          },
        })
      : new TranscriptReader((line) => this.#checkLine(line));
  }

  /** A buffer for the next bytes, which saves a copy; undefined when it makes no difference. */
  spaceForNext(): Uint8Array | undefined {
    return this.#reader instanceof LineScanner ? this.#reader.spaceForNext() : undefined;
  }

  feed(bytes: Uint8Array): void {
    this.#size += bytes.length;
    this.#reader.feed(bytes);
  }

  finish(): Findings {
    this.#reader.end();
    if (this.#tail) this.#report(this.#tail);
    this.#chain.finish();
    for (const defect of this.#tools.finish(this.#lastCall)) this.#report(defect);
    for (const [sessionId, { records, ...place }] of this.#otherSessions) {
      const what = `${count(records, "record")} of another session (${sessionId.slice(0, 36)})`;
      const loses = "nothing: Claude uses the name of the file";
      this.#report({ kind: "wrong-session", severity: "note", ...place, what, loses, repair: null });
    }
    if (this.#spoken + this.#recoverable === 0) this.#reportEmpty();
    this.#defects.sort((one, other) => one.offset - other.offset);
    const counts = { size: this.#size, lines: this.#lines, records: this.#records };
    return { ...counts, defects: this.#defects, more: this.#more, damaged: this.#damaged };
  }

  #checkLine(line: TranscriptLine): void {
    const { bytes, number, offset, ended } = line;
    if (ended) this.#lines++;
    if (bytes.length === 0) return;
    const text = this.#options.latin1(bytes);
    const record = parseRecord(text);
    if (!record) return this.#checkDamagedLine(line);
    this.#records++;
    if (!ended) this.#reportTail(line, "a whole record without an end of line", nextIsGlued, "an end of line is added");
    this.#checkText(text, line);
    this.#checkSession(record.sessionId, number, offset);
    if (record.uuid === undefined) return;
    if (isSpoken(record)) this.#spoken++;
    if (!record.isSidechain && record.type !== "system") this.#lastCall = number;
    this.#addToChain(record, record.uuid, { number, offset, length: bytes.length });
    const { ids } = this.#tools;
    for (const call of record.calls) this.#tools.addCall(ids.intern(call), number, offset);
    for (const result of record.results) this.#tools.addResult(ids.intern(result), number, offset);
  }

  #addToChain(record: TranscriptRecord, uuid: string, place: RecordPlace): void {
    const { ids } = this.#chain;
    const parent = typeof record.parent === "string" ? ids.intern(record.parent) : record.parent;
    this.#chain.add(ids.intern(uuid), parent, record, place);
  }

  /** The same for a record without damage of its own. */
  #checkScanned(record: ScannedRecord): void {
    const { number, offset, otherSession } = record;
    this.#lines++;
    this.#records++;
    if (otherSession && this.#options.sessionId !== undefined)
      this.#checkSession(this.#options.latin1(otherSession), number, offset);
    if (!record.hasUuid) return;
    const { ids } = this.#chain;
    const parent = record.parent(ids);
    const id = record.uuid(ids);
    if (record.isSpoken) this.#spoken++;
    if (!record.isSidechain && !record.isSystem) this.#lastCall = number;
    this.#chain.add(id, parent, record, record);
    if (record.tools > 0) this.#checkTools(record);
  }

  /** Calls before results, as in `#checkLine`. */
  #checkTools(record: ScannedRecord): void {
    const { number, offset, tools } = record;
    const { ids } = this.#tools;
    for (let index = 0; index < tools; index++) {
      if (record.isCall(index)) this.#tools.addCall(record.toolId(index, ids), number, offset);
    }
    for (let index = 0; index < tools; index++) {
      if (!record.isCall(index)) this.#tools.addResult(record.toolId(index, ids), number, offset);
    }
  }

  #checkSession(named: string | undefined, line: number, offset: number): void {
    const { sessionId } = this.#options;
    if (sessionId === undefined || named === undefined || named === sessionId) return;
    const known = this.#otherSessions.get(named);
    if (known) known.records++;
    else if (this.#otherSessions.size < 20) this.#otherSessions.set(named, { line, offset, records: 1 });
  }

  #checkText(text: string, { number, offset, bytes }: TranscriptLine): void {
    const place = { severity: "damage" as const, line: number, offset };
    if (!this.#options.isUtf8(bytes)) {
      const loses = "the characters that are not UTF-8: Claude reads them as �";
      const repair = "the broken characters become �";
      this.#report({ ...place, kind: "invalid-utf8", what: "bytes that are not UTF-8", loses, repair });
    }
    const halves = loneSurrogates(text).length;
    if (halves > 0) {
      this.#report({
        ...place,
        kind: "lone-surrogate",
        what: `${count(halves, "half character")} (lone surrogate)`,
        loses: "that character; Claude up to 2.1.36 sends it, and the API may refuse the whole conversation",
        repair: "the half becomes �",
      });
    }
  }

  #checkDamagedLine(line: TranscriptLine): void {
    const { bytes, number, offset, ended } = line;
    const fragments = splitDamagedLine(bytes);
    this.#chain.addDamaged(namedIds(bytes));
    const records = fragments.flatMap((fragment) => (fragment.kind === "record" ? fragment.record : []));
    this.#recoverable += records.filter((record) => record.uuid !== undefined && isSpoken(record)).length;
    const nuls = countNuls(bytes);
    if (!ended && nuls === 0 && records.length === 0) {
      return this.#reportTail(line, `an unfinished record of ${count(bytes.length, "byte")}`, "that record", "removed");
    }
    const place = { severity: "damage" as const, line: number, offset };
    const loses = lost(fragments, this.#chain.records);
    if (nuls > 0) {
      const where = ended ? "" : " at the end of the file";
      const repair = records.length > 0 ? "the NULs are removed" : "the line is removed";
      return this.#report({ ...place, kind: "nul-run", what: `${count(nuls, "NUL byte")}${where}`, loses, repair });
    }
    if (records.length > 0) {
      const what = `${count(records.length, "record")}${records.length < fragments.length ? " and a torn one" : ""} glued on one line`;
      return this.#report({ ...place, kind: "glued-records", what, loses, repair: "split into lines" });
    }
    const repair = "the line is removed, the chain is linked around it";
    this.#report({ ...place, kind: "invalid-json", what: "a line that is not JSON", loses, repair });
  }

  #reportTail({ number, offset }: TranscriptLine, what: string, loses: string, repair: string): void {
    const severity = this.#options.isLive ? "note" : "damage";
    this.#tail = {
      kind: "torn-tail",
      severity,
      line: number,
      offset,
      what,
      loses,
      repair: severity === "note" ? null : repair,
    };
  }

  #reportEmpty(): void {
    const place = { line: 0, offset: 0, repair: null, loses: "everything: Claude finds no conversation" };
    if (this.#size === 0) {
      this.#report({ ...place, kind: "empty-file", severity: "damage", what: "the file is empty" });
    } else {
      // Claude leaves such files itself. They are damage only when a snapshot has more content.
      const severity = this.#damaged ? "damage" : "note";
      this.#report({ ...place, kind: "stub-file", severity, what: "the file holds no conversation" });
    }
  }

  #report(defect: Defect): void {
    if (defect.severity === "damage") this.#damaged = true;
    if (this.#defects.length < maxDefects) this.#defects.push(defect);
    else this.#more++;
  }
}

const isSpoken = ({ type }: TranscriptRecord): boolean => type === "user" || type === "assistant";

const nextIsGlued = "nothing yet; Claude up to 2.1.197 glues the next record to it, and both are lost";

function lost(fragments: readonly LineFragment[], before: number): string {
  const records = fragments.flatMap((fragment) => (fragment.kind === "record" ? fragment.record : []));
  const isTorn = fragments.some(({ kind }) => kind === "garbage");
  if (!isTorn && records.length === 0) return "nothing else";
  if (!isTorn && records.every(({ uuid }) => uuid === undefined)) return "bookkeeping, nothing of the conversation";
  // Newer clients read the first record of a line and skip the rest.
  const [first] = fragments;
  const readable = first?.kind === "record" && first.bytes === undefined ? 1 : 0;
  const unread = records.length - readable;
  const whole = `${count(unread, "record")} on it`;
  const what = unread === 0 ? "this record" : isTorn ? `${whole}, and a torn one` : whole;
  return before === 0 ? what : `${what}; ${losesBefore(before)}`;
}
