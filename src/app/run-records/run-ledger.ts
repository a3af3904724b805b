import type { RunAction, RunState } from "../../core/restart/machine.ts";
import { hasEnded, type RunRecord, type RunStatus } from "../../core/run/run-record.ts";
import type { AttemptEnd, Signal } from "../../core/restart/signal.ts";
import type { ProcessIdentity } from "../../io/process/process.ts";
import { Journal, type JournalEntry, readJournal } from "../../store/runs/journal.ts";
import { RunFiles } from "../../store/runs/run-files.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { writeRun } from "../../store/runs/run-registry.ts";
import { messageOf } from "../../core/message-of.ts";

/** Attempts to write while another process deletes the records. */
const maxTries = 5;
const retryDelayMs = 10;

/** Keeps the records of one run. Writes the append-only journal first, then the records that other commands read. */
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
  /** The last error of each file that is not up to date. */
  readonly #troubles = new Map<"journal" | "record" | "checkpoint", string>();

  constructor(paths: RunPaths, record: RunRecord, now: () => number, onTrouble: (message: string) => void) {
    this.#paths = paths;
    this.#onTrouble = onTrouble;
    this.#record = record;
    this.#now = now;
    this.files = new RunFiles(record.plan.directory);
    const { entries } = readJournal(this.files.journal);
    // A rewritten journal may have a step twice.
    const steps = entries.filter(({ kind }) => kind === "step").map(({ text }) => String(text));
    this.#steps = [...new Set(steps)];
    this.#hasMarkedSteps = entries.some(({ kind, marked }) => kind === "step" && marked === true);
    this.#written = new Set(entries.filter(({ kind }) => kind === "file").map(({ path }) => String(path)));
    this.#journal = new Journal(this.files.journal);
  }

  get record(): RunRecord {
    return this.#record;
  }
  /** Retries what could not be written; returns whether everything is on disk. */
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

  /** From now on this process supervises the run. */
  taken(supervisor: ProcessIdentity | undefined): void {
    this.#note("taken", { pid: supervisor?.pid ?? null });
    this.#change({ supervisor: supervisor ?? null, child: null });
  }

  /** Recorded before claude starts, so that every attempt is known. */
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

  transition(signal: Signal, state: RunState, actions: readonly RunAction[]): void {
    const { phase, until, cause, fruitless, restores, failingSince = null, claudeWaits = false } = state;
    this.#note("transition", { signal, phase, until, cause, fruitless, actions });
    const isNew = phase !== this.#record.status.phase;
    const since = isNew ? this.#now() : this.#record.status.since;
    const exit = actions.find((action) => action.kind === "finish")?.exit ?? null;
    this.#change({ phase, until, cause, fruitless, restores, failingSince, claudeWaits, since, exit });
    if (isNew && phase !== "starting" && phase !== "working") this.checkpoint();
  }

  /** `marked`: found by Claude's marker, and not in its task list. */
  step(text: string, marked: boolean): void {
    this.#steps.push(text);
    this.#hasMarkedSteps ||= marked;
    this.#note("step", { text, marked });
    this.#change({ steps: this.#steps.length, lastStep: text });
    this.checkpoint();
  }

  /** Records Claude's last sentence while the run has no steps. */
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

  /** Rewrites records that Claude deleted, for example with `git clean -fdx`. */
  #rewriteRecords(): void {
    this.files.make();
    this.#journal = new Journal(this.files.journal);
    this.#journal.append(this.#now(), "rewritten", {});
    for (const text of this.#steps) this.#journal.append(this.#now(), "step", { text, marked: this.#hasMarkedSteps });
    for (const path of this.#written) this.#journal.append(this.#now(), "file", { path });
  }

  /** Retries while the records are being deleted, unless an earlier write has failed already. */
  #writeWithRetries(work: () => void): void {
    for (let left = this.#troubles.size > 0 ? 1 : maxTries; ; left--) {
      try {
        return work();
      } catch (error) {
        if (this.#journal.isComplete || left === 0) throw error;
      }
      try {
        this.#rewriteRecords();
      } catch (error) {
        if (left === 1) throw error;
        Bun.sleepSync(retryDelayMs);
      }
    }
  }

  /** A full disk must not end Claude's work. It is reported once, and the run is done only when everything is on disk. */
  #write(what: "journal" | "record" | "checkpoint", work: () => void): void {
    try {
      this.#writeWithRetries(work);
      this.#troubles.delete(what);
    } catch (error) {
      const message = messageOf(error);
      if (!this.#troubles.has(what)) this.#onTrouble(message);
      this.#troubles.set(what, message);
    }
  }
}

/** The journal is written first, so its end counts when the supervisor died before it updated the registry. */
export function settledByJournal(record: RunRecord): RunRecord {
  if (hasEnded(record.status.phase)) return record;
  const last = readEntries(record).findLast(({ kind }) => kind === "transition");
  if (last?.["phase"] !== "done" && last?.["phase"] !== "stopped") return record;
  return { ...record, status: { ...record.status, phase: last["phase"], until: null, since: last.time } };
}

/** An unreadable journal adds nothing to the registry. */
function readEntries({ plan }: RunRecord): readonly JournalEntry[] {
  try {
    return readJournal(new RunFiles(plan.directory).journal).entries;
  } catch {
    return [];
  }
}
