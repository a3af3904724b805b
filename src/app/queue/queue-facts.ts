import { checkpointsDirectory } from "../../claude/paths.ts";
import type { QueueFacts, RunFact } from "../../core/queue/decide-queue.ts";
import { quotaAt } from "../../core/queue/quota.ts";
import { hasEnded } from "../../core/run/run-record.ts";
import { readUsageState } from "../../store/checkpoints/usage-state.ts";
import { readKnownLimit } from "../../store/runs/known-limit.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { isHeld, readRun } from "../../store/runs/run-registry.ts";
import { bestEffort } from "../best-effort.ts";
import type { Environment } from "../environment.ts";
import { accountOf } from "../run-records/shared-limit.ts";
import { loadSettings } from "../settings.ts";

/** What the queue's decision needs to know at this moment. */
export function queueFacts(environment: Environment, paths: RunPaths): QueueFacts {
  const now = environment.now();
  const account = accountOf(environment);
  const facts = new Map<string, RunFact>();
  return {
    now,
    account,
    availableAt: bestEffort(environment, () => availableAt(environment, paths, account, now), null),
    maxParallel: loadSettings(environment).settings["queue.maxParallel"],
    factOf: (run) => {
      const known = facts.get(run) ?? factOf(paths, run);
      facts.set(run, known);
      return known;
    },
  };
}

/** A record that cannot be read may belong to a run that works. */
export function factOf(paths: RunPaths, run: string): RunFact {
  try {
    const record = readRun(paths, run);
    if (!record) return "missing";
    const { phase } = record.status;
    if (hasEnded(phase)) return phase === "done" ? "done" : "failed";
    // Between its start and its first step, the supervisor holds it and it is still called queued.
    if (isHeld(record)) return "running";
    return phase === "queued" ? "queued" : "interrupted";
  } catch {
    return "interrupted";
  }
}

function availableAt({ claudeConfig }: Environment, paths: RunPaths, account: string, now: number): number | null {
  const usage = readUsageState(checkpointsDirectory(claudeConfig))?.usage ?? {};
  return quotaAt(readKnownLimit(paths, account, now) ?? null, usage, now);
}
