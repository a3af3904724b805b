import { judgeBranches } from "./branch-origin.ts";
import { count, type Defect, losesBefore } from "./defect.ts";
import { BranchFinder, type LeftBranch } from "./find-branches.ts";
import { IdTable } from "../scanner/id-table.ts";
import { NumberTable } from "../scanner/number-table.ts";
import type { TranscriptRecord } from "../transcript/transcript.ts";

type Report = (defect: Omit<Defect, "severity"> & { severity?: Defect["severity"] }) => void;

interface Place {
  line: number;
  offset: number;
}

/** A range of bytes in the file. */
export interface FileRange {
  offset: number;
  length: number;
}

/** Where a record is in the file. */
export interface RecordPlace extends FileRange {
  /** Line number, counted from 1. */
  number: number;
}

/** What decides a record's place in the tree, besides its parent. */
type RecordRole = Pick<TranscriptRecord, "isBoundary" | "isSidechain" | "isPrompt" | "isAnswer">;

/** How the chain looks into the file. Only for ranges that were fed before. */
export interface FileAccess {
  isSame(one: FileRange, other: FileRange): boolean;
  /** The text of a record; undefined when it is too long to look at. */
  readRecord(range: FileRange): string | undefined;
}

const noParent = -1;
const damagedLine = -2;
const column = { parent: 0, line: 1, offset: 2, length: 3 } as const;

/** Finds missing parents, extra roots, cycles and left branches. Needs a few dozen bytes for each record. */
export class ChainCheck {
  /** The value is the number of the record with this id; -1: no such record; -2: only a damaged line contains the id. */
  readonly ids = new IdTable();
  /** One row for each record. */
  readonly #rows = new NumberTable();
  readonly #report: Report;
  readonly #file: FileAccess;
  readonly #branches = new BranchFinder();
  /** Records whose parent does not come before them. It comes later, possibly in a cycle, or is missing. */
  readonly #withLaterParent: number[] = [];
  #afterDamage = false;
  readonly #roots: { number: number; isPrompt: boolean; isNull: boolean }[] = [];

  constructor(report: Report, file: FileAccess) {
    this.#report = report;
    this.#file = file;
  }

  get records(): number {
    return this.#rows.size;
  }

  /** Ids are numbers from `ids`. An undefined parent means that the record has no such field; null means a root. */
  add(id: number, parent: number | null | undefined, role: RecordRole, place: RecordPlace): void {
    const number = this.#rows.size;
    const first = this.ids.valueAt(id);
    if (first >= 0) this.#reportDuplicate(first, place);
    else this.ids.setValue(id, number);
    if (typeof parent === "number") this.#addChild(parent, number);
    // Compactions and subagents start new chains by design. Of duplicates, the first one counts.
    else if (number > 0 && first < 0 && !role.isBoundary && !role.isSidechain)
      this.#roots.push({ number, isPrompt: role.isPrompt, isNull: parent === null });
    this.#rows.push(parent ?? noParent, place.number, place.offset, place.length);
    this.#branches.add(role);
    this.#afterDamage = false;
  }

  /** Registers the ids in a damaged line, so that their children are not reported as well. */
  addDamaged(ids: readonly string[]): void {
    this.#afterDamage = true;
    for (const uuid of ids) {
      const id = this.ids.intern(uuid);
      if (this.ids.valueAt(id) === -1) this.ids.setValue(id, damagedLine);
    }
  }

  finish(): void {
    const reported = new Set<number>();
    for (const number of this.#withLaterParent) {
      const parent = this.#rows.at(number, column.parent);
      if (this.ids.valueAt(parent) !== -1 || reported.has(parent)) continue;
      reported.add(parent);
      this.#report({
        kind: "missing-parent",
        ...this.#placeOf(number),
        what: "its parent is missing from the file",
        loses: `the lost record; ${losesBefore(number)}`,
        repair: "linked to the record before the gap",
      });
    }
    this.#reportRoots();
    this.#findCycles();
    for (const branch of this.#branches.find((number) => this.#parentOf(number))) this.#reportBranch(branch);
  }

  #addChild(parent: number, number: number): void {
    const found = this.ids.valueAt(parent);
    // A missing parent of the record right after a damaged line was in that line.
    if (found === -1 && this.#afterDamage) this.ids.setValue(parent, damagedLine);
    else if (found === -1 || found === number) this.#withLaterParent.push(number);
  }

  #reportRoots(): void {
    const first = this.#roots.find(({ isNull }) => isNull);
    const root = first && this.#chainOf(0).has(first.number) ? first : undefined;
    for (const { number, isPrompt, isNull } of this.#roots.filter((each) => each !== root)) {
      // The first prompt after a /rewind to the beginning looks the same as damage.
      const byDesign = isPrompt && isNull;
      this.#report({
        kind: "several-roots",
        severity: byDesign ? "note" : "damage",
        ...this.#placeOf(number),
        what: byDesign
          ? "a prompt without a parent: the conversation starts again, as after a /rewind to its beginning"
          : "a record without a parent in the middle of the conversation",
        loses: `in every version everything before it (${count(number, "record")})`,
        repair: byDesign ? null : "linked to the record before it",
      });
    }
  }

  #reportDuplicate(first: number, { number, offset, length }: RecordPlace): void {
    const other = this.#rangeOf(first);
    const line = this.#rows.at(first, column.line);
    const same = other.length === length && this.#file.isSame({ offset, length }, other);
    this.#report({
      kind: "duplicate-uuid",
      severity: "note",
      line: number,
      offset,
      what: same ? `the same record as line ${line}` : `another record with the uuid of line ${line}`,
      loses: same ? "nothing: Claude counts it once" : `the one in line ${line}: the last one counts`,
      repair: null,
    });
  }

  #findCycles(): void {
    const done = new Set<number>();
    for (const start of this.#withLaterParent) {
      const chain = this.#chainOf(start, done);
      const last = this.#parentOf([...chain].at(-1) ?? -1);
      if (chain.has(last)) this.#reportCycle(start);
      for (const each of chain) done.add(each);
    }
  }

  #chainOf(start: number, done?: ReadonlySet<number>): Set<number> {
    const chain = new Set<number>();
    for (let number = start; number >= 0 && !chain.has(number) && !done?.has(number); number = this.#parentOf(number)) {
      chain.add(number);
    }
    return chain;
  }

  /** The number of the parent record; negative when there is none. */
  #parentOf(number: number): number {
    const parent = number < 0 ? noParent : this.#rows.at(number, column.parent);
    return parent === noParent ? -1 : this.ids.valueAt(parent);
  }

  #reportCycle(number: number): void {
    this.#report({
      kind: "cycle",
      ...this.#placeOf(number),
      what: "its chain of parents leads back to itself",
      loses: losesBefore(number),
      repair: "linked to the record before it",
    });
  }

  #reportBranch({ from, first, otherFirst, last, messages, isByTwoProcesses }: LeftBranch): void {
    const [left = "", seen = ""] = [first, otherFirst].map((number) => this.#file.readRecord(this.#rangeOf(number)));
    const origin = judgeBranches(left, seen, isByTwoProcesses);
    if (origin === "one-process") return;
    const branch = `this branch (${count(messages, "message")}, up to line ${this.#rows.at(last, column.line)})`;
    const fork = `line ${this.#rows.at(from, column.line)}`;
    this.#report({
      kind: origin === "two-processes" ? "forked-branch" : "left-branch",
      severity: "note",
      ...this.#placeOf(first),
      what:
        origin === "two-processes"
          ? `two processes continued the conversation from ${fork}, each with its own branch`
          : `the conversation was continued a second time from ${fork}, by a /rewind or by a second process`,
      loses: `${branch} stays in the file, but the next resume does not see it`,
      repair: null,
    });
  }

  #rangeOf(number: number): FileRange {
    return { offset: this.#rows.at(number, column.offset), length: this.#rows.at(number, column.length) };
  }

  #placeOf(number: number): Place {
    return { line: this.#rows.at(number, column.line), offset: this.#rows.at(number, column.offset) };
  }
}
