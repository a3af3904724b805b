import { checkpointsDirectory } from "../../claude/paths.ts";
import { findCrossings, isSameReport, type UsageReport, windowNames } from "../../core/checkpoint/usage.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import { withLock } from "../../store/lock.ts";
import { readUsageState, type UsageState, writeUsageState } from "../../store/checkpoints/usage-state.ts";
import { readUsageHistory, writeUsageHistory } from "../../store/checkpoints/usage-history.ts";
import { addSample } from "../../core/cost/burn-rate.ts";
import { placesOfSession } from "./checkpoint-places.ts";
import type { Environment } from "../environment.ts";
import { loadSettings } from "../settings.ts";
import { recordSighting } from "./record-milestones.ts";

export interface UsageSighting extends UsageReport {
  transcriptPath: string | undefined;
  directory: string | undefined;
}

/**
 * Stores the newest usage, and saves a checkpoint when a window is nearly used up: once per window and session,
 * whether the status line or the stream reports it first. Returns true when a checkpoint was saved.
 */
export async function recordUsage(environment: Environment, sighting: UsageSighting): Promise<boolean> {
  const { paths, now, claudeConfig } = environment;
  const shared = checkpointsDirectory(claudeConfig);
  const { sessionId, contextPercent, usage } = sighting;
  const state = (before: UsageState | undefined, saved: UsageState["saved"]): UsageState => ({
    version: 1,
    time: now(),
    sessionId,
    contextPercent,
    usage: { ...before?.usage, ...usage },
    saved,
  });
  const before = readUsageState(shared);
  const { checkpointAtPercent } = loadSettings(environment).settings;
  if (
    before &&
    isSameReport(before, sighting) &&
    findCrossings(usage, checkpointAtPercent, sessionId, before.saved).length === 0
  )
    return false;
  makeDirectory(paths.locks);
  const locked = await withLock(
    `${paths.locks}/usage.lock`,
    async () => {
      const present = readUsageState(shared);
      const crossed = findCrossings(usage, checkpointAtPercent, sessionId, present?.saved ?? []);
      const saved = crossed.length > 0 && (await saveNow(environment, sighting, crossed));
      const marks = saved
        ? crossed.map((each) => ({ window: each.window, resetsAt: each.usage.resetsAt, sessionId }))
        : [];
      const next = state(present, [...(present?.saved ?? []), ...marks]);
      writeUsageState(shared, next);
      writeUsageHistory(shared, addSample(readUsageHistory(shared), { time: next.time, usage: next.usage }));
      return saved;
    },
    // Best effort: the lock holder writes equally new values.
    { waitMilliseconds: 300 },
  );
  return locked.state === "done" && locked.value;
}

async function saveNow(
  environment: Environment,
  { sessionId, transcriptPath, directory }: UsageSighting,
  crossed: ReturnType<typeof findCrossings>,
): Promise<boolean> {
  if (directory === undefined) return false;
  const text = crossed.map(({ window, usage }) => describe(windowNames[window], usage)).join("; ");
  const saved = await recordSighting(environment, placesOfSession(environment, transcriptPath, directory), () => ({
    sessionId,
    directory,
    reason: "near-cap",
    evidence: [{ kind: "near-cap", text }],
  }));
  return saved !== undefined;
}

function describe(name: string, { percent, resetsAt }: { percent: number; resetsAt: number | null }): string {
  const until = resetsAt === null ? "" : `, until ${new Date(resetsAt).toISOString()}`;
  return `${Math.floor(percent)}% of the ${name} usage limit used${until}`;
}
