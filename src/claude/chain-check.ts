import { count, type Defect, losesBefore } from "./defect.ts";
import { IdTable } from "./id-table.ts";
import { NumberList } from "./number-list.ts";
import type { TranscriptRecord } from "./transcript.ts";

type Report = (defect: Omit<Defect, "severity"> & { severity?: Defect["severity"] }) => void;

interface Place {
  line: number;
  offset: number;
}

const noParent = -1;
const damagedLine = -2;

/** Follows the parents of all records, in a few dozen bytes for each: what hangs on nothing, and what goes in circles. */
export class ChainCheck {
  readonly #ids = new IdTable();
  /** By the id's number: the record that bears it, -1 when none does, -2 when only a damaged line names it. */
  readonly #bearer = new NumberList();
  // By the record's number.
  readonly #parents = new NumberList();
  readonly #lines = new NumberList();
  readonly #offsets = new NumberList();
  readonly #hashes = new NumberList();
  readonly #report: Report;
  /** Only those whose parent comes later in the file can close a circle. */
  readonly #looksAhead: number[] = [];
  #afterDamage = false;
  readonly #roots: { number: number; isPrompt: boolean; isNull: boolean }[] = [];

  constructor(report: Report) {
    this.#report = report;
  }

  get records(): number {
    return this.#parents.size;
  }

  add(record: TranscriptRecord & { uuid: string }, place: Place, hash: number): void {
    const id = this.#ids.intern(record.uuid);
    const number = this.#parents.size;
    const first = this.#bearerOf(id);
    if (first >= 0) this.#reportTwin(first, place, hash);
    else this.#bearer.set(id, number);
    this.#addLink(record, number, first >= 0);
    this.#afterDamage = false;
    this.#lines.push(place.line);
    this.#offsets.push(place.offset);
    this.#hashes.push(hash);
  }

  /** A line that cannot be used, and the ids that it names: what hangs on them is damaged there, not here. */
  addDamaged(ids: readonly string[]): void {
    this.#afterDamage = true;
    for (const uuid of ids) {
      const id = this.#ids.intern(uuid);
      if (this.#bearerOf(id) === -1) this.#bearer.set(id, damagedLine);
    }
  }

  finish(): void {
    const reported = new Set<number>();
    for (let number = 0; number < this.#parents.size; number++) {
      const parent = this.#parents.at(number);
      if (parent === noParent || this.#bearerOf(parent) !== -1 || reported.has(parent)) continue;
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

  #addLink(record: TranscriptRecord, number: number, isTwin: boolean): void {
    const { parent, isBoundary, isSidechain, isPrompt } = record;
    if (typeof parent === "string") {
      const id = this.#ids.intern(parent);
      const bearer = this.#bearerOf(id);
      // What comes right behind it, and hangs on nothing else, hung on that.
      if (bearer === -1 && this.#afterDamage) this.#bearer.set(id, damagedLine);
      else if (bearer === -1 || bearer === number) this.#looksAhead.push(number);
      this.#parents.push(id);
      return;
    }
    this.#parents.push(noParent);
    // A compaction and a subagent begin a chain by design; of a twin, the first one counts.
    if (number > 0 && !isTwin && !isBoundary && !isSidechain)
      this.#roots.push({ number, isPrompt, isNull: parent === null });
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

  #reportTwin(first: number, place: Place, hash: number): void {
    const same = this.#hashes.at(first) === hash;
    this.#report({
      kind: "duplicate-uuid",
      severity: "note",
      ...place,
      what: same
        ? `the same record as line ${this.#lines.at(first)}`
        : `another record with the uuid of line ${this.#lines.at(first)}`,
      loses: same ? "nothing: Claude counts it once" : `the one in line ${this.#lines.at(first)}: the last one counts`,
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
    const parent = number < 0 ? noParent : this.#parents.at(number);
    return parent === noParent ? -1 : this.#bearerOf(parent);
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
    return { line: this.#lines.at(number), offset: this.#offsets.at(number) };
  }

  #bearerOf(id: number): number {
    return id < this.#bearer.size ? this.#bearer.at(id) : -1;
  }
}
