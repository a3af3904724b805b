import { Failure } from "../../core/failure.ts";
import { transition } from "../../core/restart/machine.ts";
import { hasEnded, type RunRecord } from "../../core/run/run-record.ts";
import { waitForEnd, signalProcess } from "../../io/process/end-process.ts";
import { lockOrFail, lockWithin } from "../../store/lock.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { forgetStopRequest, requestStop } from "../../store/runs/run-registry.ts";
import { removeSessionRecord } from "../../store/runs/session-registry.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import type { Environment } from "../environment.ts";
import { findRun, isHeld, listActive, readSettled } from "./find-run.ts";
import { endLeftChild } from "./hold-run.ts";
import { RunLedger } from "./run-ledger.ts";

/** Claude gets ten seconds to end, and the supervisor the rest to write its records. */
const stopTimeoutMs = 20_000;

/** Ends a run for good. The request is written first, so that it also holds without a running supervisor. */
export async function stopRun(
  environment: Environment,
  paths: RunPaths,
  given: string | undefined,
): Promise<RunRecord> {
  const record = chooseRunToStop(paths, given, environment.cwd);
  const { id } = record.plan;
  if (hasEnded(record.status.phase)) {
    throw new Failure("not-found", `run ${id} has ended already (${record.status.phase})`);
  }
  if (record.plan.cclaude) return stopSession(paths, record);
  requestStop(paths, id, environment.now());
  if (record.status.supervisor) signalProcess(record.status.supervisor, "SIGTERM");
  makeDirectory(paths.locks);
  const lock = lockOrFail(
    await lockWithin(paths.lock(id), stopTimeoutMs),
    `run ${id} has not ended yet, but will stop`,
    `It does not start claude again. Watch it with: ai-runtime status ${id}`,
  );
  try {
    const now = readSettled(paths, id);
    if (hasEnded(now.status.phase)) return now;
    await endLeftChild(now);
    return settleStopped(environment, paths, now);
  } finally {
    forgetStopRequest(paths, id);
    lock.discard();
  }
}

/** Ends a session of cclaude, if it still runs. It leaves no record, as after every orderly end. */
async function stopSession(paths: RunPaths, record: RunRecord): Promise<RunRecord> {
  const { plan, status } = record;
  if (status.supervisor && signalProcess(status.supervisor, "SIGTERM")) {
    // It ends its claude itself, and is never killed: its group may hold the user's script.
    if (!(await waitForEnd(status.supervisor, stopTimeoutMs))) {
      throw new Failure("locked", `session ${plan.id} has not ended yet, but was asked to`);
    }
  } else await endLeftChild(record);
  removeSessionRecord(paths, plan.id);
  return { ...record, status: { ...status, phase: "stopped", exit: "stopped" } };
}

/** Records the stop for a run without a supervisor. */
function settleStopped(environment: Environment, paths: RunPaths, record: RunRecord): RunRecord {
  const ledger = new RunLedger(paths, record, environment.now, (message) => {
    throw new Failure("failed", message);
  });
  const quiet = { random: 0, begun: true, knownLimit: null, turn: 0, maxWait: null } as const;
  const settings = { maxAttempts: 1, firstDelay: 0, unknownLimit: 0 };
  const context = { now: environment.now(), ...quiet, ...settings };
  const { state, actions } = transition(record.status, { kind: "stop" }, context);
  ledger.transition({ kind: "stop" }, state, actions);
  return ledger.record;
}

function chooseRunToStop(paths: RunPaths, given: string | undefined, project: string): RunRecord {
  if (given !== undefined) return findRun(paths, given, project);
  // The user stops a session of cclaude in its own terminal, or by its id.
  const held = listActive(paths).filter((run) => !run.plan.cclaude && isHeld(run));
  const [only] = held;
  if (only && held.length === 1) return only;
  if (!only) throw new Failure("not-found", "no run is running");
  const ids = held.map(({ plan }) => plan.id).join(", ");
  throw new Failure("usage", `${held.length} runs are running: ${ids}`, { hint: "Give the id of one of them." });
}
