import { checkpointsDirectory } from "../claude/paths.ts";
import { readCheckpointSettings } from "../core/checkpoint-settings.ts";
import { crossings, type Usage, windowNames } from "../core/usage.ts";
import { makeDirectory } from "../io/durable.ts";
import { readText } from "../io/read-file.ts";
import { withLock } from "../store/lock.ts";
import { readUsageState, type UsageState, writeUsageState } from "../store/usage-state.ts";
import { placesOfSession } from "./checkpoint-places.ts";
import type { Environment } from "./environment.ts";
import { recordSighting } from "./hook-checkpoint.ts";

export interface UsageSighting {
  sessionId: string;
  transcriptPath: string | undefined;
  directory: string | undefined;
  contextPercent: number | null;
  usage: Usage;
}

/**
 * Keeps the newest figures, and saves a checkpoint when a window is nearly used up: once for each window and session,
 * whether the status line or the stream sees it first. Returns whether one was saved.
 */
export async function recordUsage(environment: Environment, sighting: UsageSighting): Promise<boolean> {
  const { paths, variables, now, claudeConfig } = environment;
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
  const { atPercent } = readCheckpointSettings(readText(paths.config), variables).settings;
  if (before && isSame(before, sighting) && crossings(usage, atPercent, sessionId, before.saved).length === 0)
    return false;
  makeDirectory(paths.locks);
  const locked = await withLock(
    `${paths.locks}/usage.lock`,
    async () => {
      const present = readUsageState(shared);
      const crossed = crossings(usage, atPercent, sessionId, present?.saved ?? []);
      const saved = crossed.length > 0 && (await saveNow(environment, sighting, crossed));
      const marks = saved
        ? crossed.map((each) => ({ window: each.window, resetsAt: each.usage.resetsAt, sessionId }))
        : [];
      writeUsageState(shared, state(present, [...(present?.saved ?? []), ...marks]));
      return saved;
    },
    // Whoever holds it writes figures as new as ours.
    { waitMilliseconds: 300 },
  );
  return locked.state === "done" && locked.value;
}

async function saveNow(
  environment: Environment,
  { sessionId, transcriptPath, directory }: UsageSighting,
  crossed: ReturnType<typeof crossings>,
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

function isSame(state: UsageState, { sessionId, contextPercent, usage }: UsageSighting): boolean {
  const figures = { ...state.usage, ...usage };
  return (
    state.sessionId === sessionId &&
    state.contextPercent === contextPercent &&
    JSON.stringify(figures) === JSON.stringify(state.usage)
  );
}
