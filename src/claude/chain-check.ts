import { count, type Defect, losesBefore } from "./defect.ts";
import { IdTable } from "./id-table.ts";
import { NumberRows } from "./number-rows.ts";
import type { TranscriptRecord } from "./transcript.ts";

type Report = (defect: Omit<Defect, "severity"> & { severity?: Defect["severity"] }) => void;

interface Place {
  line: number;
  offset: number;
}

/** A record's bytes, by where they are in the file. */
export interface Stretch {
  offset: number;
  length: number;
}

/** Where a whole record is. */
export interface RecordPlace extends Stretch {
  /** Of its line, counted from 1. */
  number: number;
}

/** What a record's part in the tree depends on, apart from its parent. */
type RecordRole = Pick<TranscriptRecord, "isBoundary" | "isSidechain" | "isPrompt">;

const noParent = -1;
const damagedLine = -2;
const column = { parent: 0, line: 1, offset: 2, length: 3 } as const;

/** Follows the parents of all records, in a few dozen bytes for each: what hangs on nothing, and what goes in circles. */
export class ChainCheck {
  /** The value is the record that bears the id, -1 when none does, -2 when only a damaged line names it. */
  readonly ids = new IdTable();
  /** By the record's number. */
  readonly #rows = new NumberRows();
  readonly #report: Report;
  readonly #isSame: (one: Stretch, other: Stretch) => boolean;
  /** Those whose parent was not there before them: it comes later in the file, maybe in a circle, or not at all. */
  readonly #looksAhead: number[] = [];
  #afterDamage = false;
  readonly #roots: { number: number; isPrompt: boolean; isNull: boolean }[] = [];

  constructor(report: Report, isSame: (one: Stretch, other: Stretch) => boolean) {
    this.#report = report;
    this.#isSame = isSame;
  }

  get records(): number {
    return this.#rows.size;
  }

  /** Ids are numbers of `ids`; a parent is undefined when the record does not say, which is not the same as null. */
  add(id: number, parent: number | null | undefined, role: RecordRole, place: RecordPlace): void {
    const number = this.#rows.size;
    const first = this.ids.valueAt(id);
    if (first >= 0) this.#reportTwin(first, place);
    else this.ids.setValue(id, number);
    if (typeof parent === "number") this.#addChild(parent, number);
    // A compaction and a subagent begin a chain by design; of a twin, the first one counts.
    else if (number > 0 && first < 0 && !role.isBoundary && !role.isSidechain)
      this.#roots.push({ number, isPrompt: role.isPrompt, isNull: parent === null });
    this.#rows.push(parent ?? noParent, place.number, place.offset, place.length);
    this.#afterDamage = false;
  }

  /** A line that cannot be used, and the ids that it names: what hangs on them is damaged there, not here. */
  addDamaged(ids: readonly string[]): void {
    this.#afterDamage = true;
    for (const uuid of ids) {
      const id = this.ids.intern(uuid);
      if (this.ids.valueAt(id) === -1) this.ids.setValue(id, damagedLine);
    }
  }

  finish(): void {
    const reported = new Set<number>();
    for (const number of this.#looksAhead) {
      const parent = this.#rows.at(number, column.parent);
      if (this.ids.valueAt(parent) !== -1 || reported.has(parent)) continue;
      reported.add(parent);
      this.#report({
        kind: "missing-parent",
        ...this.#placeOf(number),
        what: "its parent is nowhere in the file",
        loses: `the lost record; ${losesBefore(number)}`,
        repair: "linked to the record before the gap",
      });
    }
    this.#reportRoots();
    this.#findCircles();
  }

  #addChild(parent: number, number: number): void {
    const bearer = this.ids.valueAt(parent);
    // What comes right behind it, and hangs on nothing else, hung on that.
    if (bearer === -1 && this.#afterDamage) this.ids.setValue(parent, damagedLine);
    else if (bearer === -1 || bearer === number) this.#looksAhead.push(number);
  }

  #reportRoots(): void {
    const first = this.#roots.find(({ isNull }) => isNull);
    const root = first && this.#wayUp(0).has(first.number) ? first : undefined;
    for (const { number, isPrompt, isNull } of this.#roots.filter((each) => each !== root)) {
      // The first prompt after a /rewind to the very beginning looks like this, and nothing in the line tells the two apart.
      const byDesign = isPrompt && isNull;
      this.#report({
        kind: "several-roots",
        severity: byDesign ? "note" : "damage",
        ...this.#placeOf(number),
        what: byDesign
          ? "a prompt without a parent: the conversation begins anew, as after a /rewind to its beginning"
          : "a record without a parent in the middle of the conversation",
        loses: `in every version everything before it (${count(number, "record")})`,
        repair: byDesign ? null : "linked to the record before it",
      });
    }
  }

  #reportTwin(first: number, { number, offset, length }: RecordPlace): void {
    const other = { offset: this.#rows.at(first, column.offset), length: this.#rows.at(first, column.length) };
    const line = this.#rows.at(first, column.line);
    const same = other.length === length && this.#isSame({ offset, length }, other);
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

  #findCircles(): void {
    const done = new Set<number>();
    for (const start of this.#looksAhead) {
      const way = this.#wayUp(start, done);
      const last = this.#next([...way].at(-1) ?? -1);
      if (way.has(last)) this.#reportCircle(start);
      for (const each of way) done.add(each);
    }
  }

  #wayUp(start: number, done?: ReadonlySet<number>): Set<number> {
    const way = new Set<number>();
    for (let number = start; number >= 0 && !way.has(number) && !done?.has(number); number = this.#next(number)) {
      way.add(number);
    }
    return way;
  }

  /** The record that this one hangs on; below zero when there is none. */
  #next(number: number): number {
    const parent = number < 0 ? noParent : this.#rows.at(number, column.parent);
    return parent === noParent ? -1 : this.ids.valueAt(parent);
  }

  #reportCircle(number: number): void {
    this.#report({
      kind: "cycle",
      ...this.#placeOf(number),
      what: "its parents lead back to itself",
      loses: losesBefore(number),
      repair: "linked to the record before it",
    });
  }

  #placeOf(number: number): Place {
    return { line: this.#rows.at(number, column.line), offset: this.#rows.at(number, column.offset) };
  }
}
