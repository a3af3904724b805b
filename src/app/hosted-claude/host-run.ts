import type { HoldCause } from "../../core/host/continuation.ts";
import type { HostedEnd } from "../../core/host/frames.ts";
import { wasKilled } from "../../core/host/was-killed.ts";
import { hasEnded, type Phase, type ProcessMark, type RunRecord, type RunStatus } from "../../core/run/run-record.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import { type Lock, lockOrFail, tryLock } from "../../store/lock.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { isStopRequested, readRun, registerRun, removeRun, writeRun } from "../../store/runs/run-registry.ts";

/** A host's entry in the run registry, where `status` finds it. The host holds its lock while it lives. */
export class HostRun {
  readonly #paths: RunPaths;
  readonly #lock: Lock;
  readonly #now: () => number;
  #record: RunRecord | undefined;
  #isForgotten = false;

  /** Without a run of this id in the registry (a service, for example), nothing is written. */
  constructor(paths: RunPaths, id: string, now: () => number) {
    this.#paths = paths;
    this.#now = now;
    this.#lock = lockHost(paths, id);
    this.#record = readRun(paths, id);
  }

  /** Writes everything that a resume needs, before the program starts. */
  register(record: RunRecord): void {
    registerRun(this.#paths, record);
    this.#record = record;
  }

  started(supervisor: ProcessMark, child: ProcessMark | null): void {
    const attempts = (this.#record?.status.attempts ?? 0) + 1;
    this.#write("working", { supervisor, child, attempts, cause: null, until: null, exit: null });
  }

  /** Claude waits in its terminal until its limit resets. */
  waiting(until: number): void {
    if (this.#record?.status.until !== until) this.#write("waiting-limit", { until, cause: "limit" });
  }

  /** Claude repeats its request to a failing API then. */
  retrying(until: number): void {
    if (this.#record?.status.until !== until) this.#write("backing-off", { until, cause: "server" });
  }

  /** The host does not continue after the limit, for this reason. */
  held(cause: HoldCause): void {
    const { phase, until, cause: recorded } = this.#record?.status ?? {};
    if (phase === "waiting-limit" && until === null && recorded === cause) return;
    this.#write("waiting-limit", { until: null, cause });
  }

  working(): void {
    const { phase } = this.#record?.status ?? {};
    if (phase === "waiting-limit" || phase === "backing-off") this.#write("working", { until: null, cause: null });
  }

  /**
   * `stopCause`: set when a user or a shutdown ended the host, or the host ended the program after its terminal was lost. A
   * stop request in the registry makes the end final.
   */
  ended(end: HostedEnd, stopCause: "interrupted" | "shutdown" | "hang-up" | undefined): void {
    const id = this.#record?.plan.id;
    const isStopped = id !== undefined && isStopRequested(this.#paths, id);
    const [phase, cause, exit]: [Phase, string | null, RunStatus["exit"]] = isStopped
      ? ["stopped", "stopped", "stopped"]
      : stopCause === "hang-up"
        ? ["done", stopCause, "done"]
        : stopCause
          ? ["paused", stopCause, "stopped"]
          : end.exitCode === 0 && end.signal === null
            ? ["done", null, "done"]
            : wasKilled(end)
              ? ["paused", "killed", "stopped"]
              : ["failed", end.signal === null ? "error" : "crash", "failed"];
    this.#write(phase, { exit, cause, until: null });
  }

  /** Removes the record of a run that is over. */
  forget(): void {
    if (this.#record) removeRun(this.#paths, this.#record.plan.id);
    this.#record = undefined;
    this.#isForgotten = true;
  }

  /** Removes the lock file of a run that has ended. */
  release(): void {
    if (this.#isForgotten || (this.#record && hasEnded(this.#record.status.phase))) this.#lock.discard();
    else this.#lock.release();
  }

  #write(phase: Phase, change: Partial<RunStatus>): void {
    if (!this.#record) return;
    this.#record = { ...this.#record, status: { ...this.#record.status, ...change, phase, since: this.#now() } };
    writeRun(this.#paths, this.#record);
  }
}

/** Takes the lock that a host holds while it lives. */
export function lockHost(paths: RunPaths, id: string): Lock {
  makeDirectory(paths.locks);
  return lockOrFail(tryLock(paths.lock(id)), `${id} is already running`, `Show it with: ai-runtime attach ${id}`);
}
