import { Failure } from "../core/failure.ts";
import type { HostedEnd } from "../core/frames.ts";
import { hasEnded, type Phase, type ProcessMark, type RunRecord, type RunStatus } from "../core/run-record.ts";
import { makeDirectory } from "../io/durable.ts";
import { type Lock, tryLock } from "../store/lock.ts";
import type { RunPaths } from "../store/run-paths.ts";
import { isStopRequested, readRun, writeRun } from "../store/run-registry.ts";

/** A host's entry in the registry of runs, where `status` finds it; held by the lock for as long as the host lives. */
export class HostRun {
  readonly #paths: RunPaths;
  readonly #lock: Lock;
  readonly #now: () => number;
  #record: RunRecord | undefined;

  /** A host whose id is in no registry has nothing to keep there. */
  constructor(paths: RunPaths, id: string, now: () => number) {
    this.#paths = paths;
    this.#now = now;
    this.#lock = lockHost(paths, id);
    this.#record = readRun(paths, id);
  }

  started(supervisor: ProcessMark, child: ProcessMark | null): void {
    const attempts = (this.#record?.status.attempts ?? 0) + 1;
    this.#write("working", { supervisor, child, attempts, cause: null, until: null, exit: null });
  }

  /** Claude waits for its limit, in its own terminal. */
  waiting(until: number): void {
    if (this.#record?.status.until !== until) this.#write("waiting-limit", { until, cause: "limit" });
  }

  working(): void {
    if (this.#record?.status.phase === "waiting-limit") this.#write("working", { until: null });
  }

  /** `asked`: somebody told us to end it, a person or a shutdown; whether for good, the registry says. */
  ended(end: HostedEnd, asked: "interrupted" | "shutdown" | undefined): void {
    const id = this.#record?.plan.id;
    const isStopped = id !== undefined && isStopRequested(this.#paths, id);
    const [phase, cause, exit]: [Phase, string | null, RunStatus["exit"]] = isStopped
      ? ["stopped", "stopped", "stopped"]
      : asked
        ? ["paused", asked, "stopped"]
        : end.exitCode === 0 && end.signal === null
          ? ["done", null, "done"]
          : ["failed", end.signal === null ? "error" : "crash", "failed"];
    this.#write(phase, { exit, cause, until: null });
  }

  /** Of runs that are over no lock is left. */
  release(): void {
    if (this.#record && hasEnded(this.#record.status.phase)) this.#lock.discard();
    else this.#lock.release();
  }

  #write(phase: Phase, change: Partial<RunStatus>): void {
    if (!this.#record) return;
    this.#record = { ...this.#record, status: { ...this.#record.status, ...change, phase, since: this.#now() } };
    writeRun(this.#paths, this.#record);
  }
}

/** Held by a host for as long as it lives. */
export function lockHost(paths: RunPaths, id: string): Lock {
  makeDirectory(paths.locks);
  const lock = tryLock(paths.lock(id));
  if (lock !== "busy") return lock;
  throw new Failure("locked", `${id} is running already`, { hint: `Show it with: ai-runtime attach ${id}` });
}
