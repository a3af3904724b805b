import { Failure } from "../core/failure.ts";
import { transition } from "../core/machine.ts";
import { hasEnded, type RunRecord } from "../core/run-record.ts";
import { signalProcess } from "../io/end-process.ts";
import { lockWithin } from "../store/lock.ts";
import type { RunPaths } from "../store/run-paths.ts";
import { forgetStopRequest, requestStop } from "../store/run-registry.ts";
import { makeDirectory } from "../io/durable.ts";
import type { Environment } from "./environment.ts";
import { findRun, isHeld, listActive, readSettled } from "./find-run.ts";
import { endLeftChild } from "./hold-run.ts";
import { RunLedger } from "./run-ledger.ts";

/** Claude gets ten seconds to end, and the records a moment. */
const patience = 20_000;

/** Ends a run for good. The wish is on disk first: it holds even if nobody is there to hear it. */
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
  requestStop(paths, id, environment.now());
  if (record.status.supervisor) signalProcess(record.status.supervisor, "SIGTERM");
  makeDirectory(paths.locks);
  const lock = await lockWithin(paths.lock(id), patience);
  if (lock === "busy") {
    throw new Failure("locked", `run ${id} was told to stop but has not ended yet`, {
      hint: `It will not start anything again. See ai-runtime status ${id}`,
    });
  }
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

/** Nobody was there to hear it. */
function settleStopped(environment: Environment, paths: RunPaths, record: RunRecord): RunRecord {
  const ledger = new RunLedger(paths, record, environment.now, (message) => {
    throw new Failure("failed", message);
  });
  const quiet = { random: 0, begun: true, knownLimit: null, turn: 0, maxWait: null } as const;
  const settings = { maxAttempts: 1, firstDelay: 0, unknownLimit: 0 };
  const context = { now: environment.now(), ...quiet, ...settings };
  const { life, actions } = transition(record.status, { kind: "stop" }, context);
  ledger.transition({ kind: "stop" }, life, actions);
  return ledger.record;
}

function chooseRunToStop(paths: RunPaths, given: string | undefined, project: string): RunRecord {
  if (given !== undefined) return findRun(paths, given, project);
  const held = listActive(paths).filter(isHeld);
  const [only] = held;
  if (only && held.length === 1) return only;
  if (!only) throw new Failure("not-found", "no run is under way");
  const ids = held.map(({ plan }) => plan.id).join(", ");
  throw new Failure("usage", `${held.length} runs are under way: ${ids}`, { hint: "Say which one." });
}
