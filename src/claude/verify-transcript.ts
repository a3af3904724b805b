import { loneSurrogates } from "./broken-text.ts";
import { ChainCheck, type RecordPlace, type Stretch } from "./chain-check.ts";
import { count, type Defect, losesBefore } from "./defect.ts";
import { LineScanner } from "./line-scanner.ts";
import { type Fragment, namedIds, salvageLine } from "./salvage.ts";
import type { ScannedRecord } from "./scanned-record.ts";
import type { Scanner } from "./scanner.ts";
import { ToolCheck } from "./tool-check.ts";
import { parseRecord, type TranscriptLine, TranscriptReader, type TranscriptRecord } from "./transcript.ts";

/** What the language cannot do fast enough by itself. */
export interface ByteTools {
  /** One character for each byte. Names, ids and escapes are ASCII, so it will do wherever the words do not matter. */
  latin1(bytes: Uint8Array): string;
  isUtf8(bytes: Uint8Array): boolean;
  /** Any good hash that fits a number. */
  hash(bytes: Uint8Array): number;
}

export interface VerifyOptions extends ByteTools {
  /** That the records should name; undefined when the file is not named after one. */
  sessionId: string | undefined;
  /** Claude is writing: an unfinished last line is then not yet a line. */
  isLive: boolean;
  /** Whether the file has the same bytes in both places. Asked only of what was fed before. */
  isSame(one: Stretch, other: Stretch): boolean;
  /** Looks at healthy records many times as fast; without it every line is parsed. What is found is the same. */
  scanner: Scanner | undefined;
}

export interface Findings {
  size: number;
  lines: number;
  records: number;
  /** In the order of the file, at most a thousand. */
  defects: Defect[];
  /** How many more there are. */
  more: number;
  damaged: boolean;
}

const most = 1_000;

/** Looks at a transcript once, as it streams past. */
export class TranscriptVerifier {
  readonly #options: VerifyOptions;
  readonly #reader: TranscriptReader | LineScanner;
  readonly #chain = new ChainCheck(
    ({ severity = "damage", ...defect }) => this.#report({ severity, ...defect }),
    // What is only counted need not be known.
    (one, other) => this.#defects.length < most && this.#options.isSame(one, other),
  );
  readonly #tools = new ToolCheck();
  readonly #defects: Defect[] = [];
  readonly #strangers = new Map<string, { line: number; offset: number; records: number }>();
  #more = 0;
  #damaged = false;
  #size = 0;
  #lines = 0;
  #records = 0;
  #spoken = 0;
  /** Words that a repair brings back from damaged lines. */
  #salvageable = 0;
  #lastCall = 0;
  #tail: Defect | undefined;

  constructor(options: VerifyOptions) {
    this.#options = options;
    this.#reader = options.scanner
      ? new LineScanner(options.scanner, options, {
          visitRecord: (record) => this.#lookAtScanned(record),
          visitLine: (line) => this.#look(line),
          visitHealthy: ({ records, spoken }) => {
            this.#lines = records;
            this.#records = records;
            this.#spoken = spoken;
          },
        })
      : new TranscriptReader((line) => this.#look(line));
  }

  /** Where bytes are best put before they are fed; undefined when it does not matter. */
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
    for (const [sessionId, { records, ...place }] of this.#strangers) {
      const what = `${count(records, "record")} of another session (${sessionId.slice(0, 36)})`;
      const loses = "nothing: Claude goes by the name of the file";
      this.#report({ kind: "wrong-session", severity: "note", ...place, what, loses, repair: null });
    }
    if (this.#spoken + this.#salvageable === 0) this.#reportEmpty();
    this.#defects.sort((one, other) => one.offset - other.offset);
    const counts = { size: this.#size, lines: this.#lines, records: this.#records };
    return { ...counts, defects: this.#defects, more: this.#more, damaged: this.#damaged };
  }

  #look(line: TranscriptLine): void {
    const { bytes, number, offset, ended } = line;
    if (ended) this.#lines++;
    if (bytes.length === 0) return;
    const text = this.#options.latin1(bytes);
    const record = parseRecord(text);
    if (!record) return this.#lookAtDamage(line);
    this.#records++;
    if (!ended) this.#reportTail(line, "a whole record, but its line has no end", nextIsGlued, "the line is ended");
    this.#lookAtText(text, line);
    this.#lookAtSession(record.sessionId, number, offset);
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

  /** The same for a record in which nothing is wrong by itself. */
  #lookAtScanned(record: ScannedRecord): void {
    const { number, offset, stranger } = record;
    this.#lines++;
    this.#records++;
    if (stranger && this.#options.sessionId !== undefined)
      this.#lookAtSession(this.#options.latin1(stranger), number, offset);
    if (!record.hasUuid) return;
    const { ids } = this.#chain;
    const parent = record.parent(ids);
    const id = record.uuid(ids);
    if (record.isSpoken) this.#spoken++;
    if (!record.isSidechain && !record.isSystem) this.#lastCall = number;
    this.#chain.add(id, parent, record, record);
    if (record.tools > 0) this.#lookAtTools(record);
  }

  /** Calls first, as above. */
  #lookAtTools(record: ScannedRecord): void {
    const { number, offset, tools } = record;
    const { ids } = this.#tools;
    for (let index = 0; index < tools; index++) {
      if (record.isCall(index)) this.#tools.addCall(record.toolId(index, ids), number, offset);
    }
    for (let index = 0; index < tools; index++) {
      if (!record.isCall(index)) this.#tools.addResult(record.toolId(index, ids), number, offset);
    }
  }

  #lookAtSession(named: string | undefined, line: number, offset: number): void {
    const { sessionId } = this.#options;
    if (sessionId === undefined || named === undefined || named === sessionId) return;
    const stranger = this.#strangers.get(named);
    if (stranger) stranger.records++;
    else if (this.#strangers.size < 20) this.#strangers.set(named, { line, offset, records: 1 });
  }

  #lookAtText(text: string, { number, offset, bytes }: TranscriptLine): void {
    const place = { severity: "damage" as const, line: number, offset };
    if (!this.#options.isUtf8(bytes)) {
      const loses = "the characters that are no UTF-8: Claude reads them as �";
      const repair = "the broken characters become �";
      this.#report({ ...place, kind: "invalid-utf8", what: "bytes that are no UTF-8", loses, repair });
    }
    const halves = loneSurrogates(text).length;
    if (halves > 0) {
      this.#report({
        ...place,
        kind: "lone-surrogate",
        what: `${count(halves, "half character")}, without its other half`,
        loses: "that character; Claude up to 2.1.36 sends it, and the API may refuse the whole conversation",
        repair: "the half becomes �",
      });
    }
  }

  #lookAtDamage(line: TranscriptLine): void {
    const { bytes, number, offset, ended } = line;
    const fragments = salvageLine(bytes);
    this.#chain.addDamaged(namedIds(bytes));
    const records = fragments.flatMap((fragment) => (fragment.kind === "record" ? fragment.record : []));
    this.#salvageable += records.filter((record) => record.uuid !== undefined && isSpoken(record)).length;
    const nuls = bytes.reduce((sum, byte) => (byte === 0 ? sum + 1 : sum), 0);
    if (!ended && nuls === 0 && records.length === 0) {
      return this.#reportTail(line, `an unfinished record of ${count(bytes.length, "byte")}`, "that record", "cut off");
    }
    const place = { severity: "damage" as const, line: number, offset };
    const loses = lost(fragments, this.#chain.records);
    if (nuls > 0) {
      const where = ended ? "" : " at the end of the file";
      const repair = records.length > 0 ? "the NULs are cut out" : "the line is cut out";
      return this.#report({ ...place, kind: "nul-run", what: `${count(nuls, "NUL byte")}${where}`, loses, repair });
    }
    if (records.length > 0) {
      const what = `${count(records.length, "record")}${records.length < fragments.length ? " and a torn one" : ""} glued on one line`;
      return this.#report({ ...place, kind: "glued-records", what, loses, repair: "split into lines" });
    }
    const repair = "the line is cut out, the chain is linked around it";
    this.#report({ ...place, kind: "invalid-json", what: "a line that is no JSON", loses, repair });
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
      // Claude leaves such files behind by itself; only a snapshot with more in it makes it damage.
      const severity = this.#damaged ? "damage" : "note";
      this.#report({ ...place, kind: "stub-file", severity, what: "the file holds no conversation" });
    }
  }

  #report(defect: Defect): void {
    if (defect.severity === "damage") this.#damaged = true;
    if (this.#defects.length < most) this.#defects.push(defect);
    else this.#more++;
  }
}

const isSpoken = ({ type }: TranscriptRecord): boolean => type === "user" || type === "assistant";

const nextIsGlued = "nothing yet; Claude up to 2.1.197 glues the next record to it, and both are lost";

function lost(fragments: readonly Fragment[], before: number): string {
  const records = fragments.flatMap((fragment) => (fragment.kind === "record" ? fragment.record : []));
  const isTorn = fragments.some(({ kind }) => kind === "garbage");
  if (!isTorn && records.length === 0) return "nothing else";
  if (!isTorn && records.every(({ uuid }) => uuid === undefined)) return "bookkeeping, nothing of the conversation";
  // Newer clients read the first record on a line and pass over the rest.
  const [first] = fragments;
  const readable = first?.kind === "record" && first.bytes === undefined ? 1 : 0;
  const unread = records.length - readable;
  const whole = `${count(unread, "record")} on it`;
  const what = unread === 0 ? "this record" : isTorn ? `${whole}, and a torn one` : whole;
  return before === 0 ? what : `${what}; ${losesBefore(before)}`;
}
