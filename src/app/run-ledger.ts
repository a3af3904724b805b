import type { Action, Life } from "../core/machine.ts";
import { hasEnded, type RunRecord, type RunStatus } from "../core/run-record.ts";
import type { AttemptEnd, Signal } from "../core/signal.ts";
import type { ProcessIdentity } from "../io/process.ts";
import { Journal, type JournalEntry, readJournal } from "../store/journal.ts";
import { RunFiles } from "../store/run-files.ts";
import type { RunPaths } from "../store/run-paths.ts";
import { writeRun } from "../store/run-registry.ts";

/** Of records that somebody is cleaning away just now, with so many milliseconds between two. */
const mostTries = 5;
const pause = 10;

/** Keeps the records of one run: the journal first, which is never changed, then what is read from elsewhere. */
export class RunLedger {
  readonly files: RunFiles;
  readonly #paths: RunPaths;
  #journal: Journal;
  readonly #now: () => number;
  readonly #steps: string[];
  #hasMarkedSteps: boolean;
  readonly #written: Set<string>;
  readonly #onTrouble: (message: string) => void;
  #record: RunRecord;
  /** What could not be written, by what it is; gone again when it could. */
  readonly #troubles = new Map<"journal" | "record" | "checkpoint", string>();

  constructor(paths: RunPaths, record: RunRecord, now: () => number, onTrouble: (message: string) => void) {
    this.#paths = paths;
    this.#onTrouble = onTrouble;
    this.#record = record;
    this.#now = now;
    this.files = new RunFiles(record.plan.directory);
    const { entries } = readJournal(this.files.journal);
    // What had to be written anew may stand there twice.
    const steps = entries.filter(({ kind }) => kind === "step").map(({ text }) => String(text));
    this.#steps = [...new Set(steps)];
    this.#hasMarkedSteps = entries.some(({ kind, marked }) => kind === "step" && marked === true);
    this.#written = new Set(entries.filter(({ kind }) => kind === "file").map(({ path }) => String(path)));
    this.#journal = new Journal(this.files.journal);
  }

  get record(): RunRecord {
    return this.#record;
  }
  /** Whether all of it is on disk; what was not is tried once more. */
  settle(): boolean {
    if (this.#troubles.size > 0) {
      this.#note("settled", { phase: this.#record.status.phase });
      this.#change({});
      this.checkpoint();
    }
    return this.#troubles.size === 0;
  }
  get steps(): readonly string[] {
    return this.#steps;
  }
  get hasMarkedSteps(): boolean {
    return this.#hasMarkedSteps;
  }
  get filesWritten(): readonly string[] {
    return [...this.#written];
  }

  /** Somebody has taken it up: from now on this process answers for it. */
  taken(supervisor: ProcessIdentity | undefined): void {
    this.#note("taken", { pid: supervisor?.pid ?? null });
    this.#change({ supervisor: supervisor ?? null, child: null });
  }

  /** Before claude is started, so that no start is ever unknown. */
  launching(attempt: number, resumed: boolean): void {
    this.#note("launching", { attempt, resumed });
    this.#change({ attempts: attempt });
  }

  launched(child: ProcessIdentity | undefined): void {
    this.#note("launched", { pid: child?.pid ?? null });
    this.#change({ child: child ?? null });
  }

  attemptEnded(end: AttemptEnd, facts: Readonly<Record<string, unknown>>, costUsd: number): void {
    this.#note("ended", { end, ...facts, costUsd });
    this.#change({ costUsd: this.#record.status.costUsd + costUsd });
  }

  transition(signal: Signal, life: Life, actions: readonly Action[]): void {
    const { phase, until, cause, fruitless, restores } = life;
    this.#note("transition", { signal, phase, until, cause, fruitless, actions });
    const isNew = phase !== this.#record.status.phase;
    const since = isNew ? this.#now() : this.#record.status.since;
    const exit = actions.find((action) => action.kind === "finish")?.exit ?? null;
    this.#change({ phase, until, cause, fruitless, restores, since, exit });
    if (isNew && phase !== "starting" && phase !== "working") this.checkpoint();
  }

  /** `marked`: by Claude's own marker, and not by its task list. */
  step(text: string, marked: boolean): void {
    this.#steps.push(text);
    this.#hasMarkedSteps ||= marked;
    this.#note("step", { text, marked });
    this.#change({ steps: this.#steps.length, lastStep: text });
    this.checkpoint();
  }

  /** Claude's last sentence, for a run that marks no steps. */
  lastWords(text: string): void {
    if (this.#steps.length === 0 && text !== this.#record.status.lastStep) this.#change({ lastStep: text });
  }

  fileWritten(path: string): void {
    if (this.#written.has(path)) return;
    this.#written.add(path);
    this.#note("file", { path });
  }

  note(kind: string, fields: Readonly<Record<string, unknown>>): void {
    this.#note(kind, fields);
  }

  checkpoint(): void {
    const { plan, status } = this.#record;
    this.#write("checkpoint", () =>
      this.files.writeCheckpoint({
        session_id: plan.sessionId,
        run_id: plan.id,
        timestamp: new Date(this.#now()).toISOString(),
        task_description: plan.task,
        last_step: status.lastStep,
        steps: this.#steps,
        files_modified: this.filesWritten,
        interrupted_by: status.cause,
        cwd: plan.cwd,
        phase: status.phase,
      }),
    );
  }

  #note(kind: string, fields: Readonly<Record<string, unknown>>): void {
    this.#write("journal", () => this.#journal.append(this.#now(), kind, fields));
  }

  #change(changes: Partial<RunStatus>): void {
    this.#record = { ...this.#record, status: { ...this.#record.status, ...changes } };
    this.#write("record", () => writeRun(this.#paths, this.#record));
  }

  /** Claude may clean them away, as with `git clean -fdx`: what is known of them is written anew. */
  #bringBack(): void {
    this.files.make();
    this.#journal = new Journal(this.files.journal);
    this.#journal.append(this.#now(), "rewritten", {});
    for (const text of this.#steps) this.#journal.append(this.#now(), "step", { text, marked: this.#hasMarkedSteps });
    for (const path of this.#written) this.#journal.append(this.#now(), "file", { path });
  }

  /** Whoever cleans them away may still be at it: so more than once, unless there is trouble already. */
  #writeOrBringBack(work: () => void): void {
    for (let left = this.#troubles.size > 0 ? 1 : mostTries; ; left--) {
      try {
        return work();
      } catch (error) {
        if (this.#journal.isThere || left === 0) throw error;
      }
      try {
        this.#bringBack();
      } catch (error) {
        if (left === 1) throw error;
        Bun.sleepSync(pause);
      }
    }
  }

  /** A full disk must not end Claude's work. It is said once, and a run is not called done before all is on disk. */
  #write(what: "journal" | "record" | "checkpoint", work: () => void): void {
    try {
      this.#writeOrBringBack(work);
      this.#troubles.delete(what);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (!this.#troubles.has(what)) this.#onTrouble(message);
      this.#troubles.set(what, message);
    }
  }
}

/** The journal is written first: a run that died between the two is as ended as the journal says. */
export function settledByJournal(record: RunRecord): RunRecord {
  if (hasEnded(record.status.phase)) return record;
  const last = readEntries(record).findLast(({ kind }) => kind === "transition");
  if (last?.["phase"] !== "done" && last?.["phase"] !== "stopped") return record;
  return { ...record, status: { ...record.status, phase: last["phase"], until: null, since: last.time } };
}

/** A journal that cannot be read, in a project that we cannot look into, knows nothing better than the registry. */
function readEntries({ plan }: RunRecord): readonly JournalEntry[] {
  try {
    return readJournal(new RunFiles(plan.directory).journal).entries;
  } catch {
    return [];
  }
}
