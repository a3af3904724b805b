import { startDetached } from "../../io/process/start-detached.ts";
import type { Environment } from "../environment.ts";
import { ownExecutable, sessionSnapshotCommand } from "../own-executable.ts";
import { loadSettings } from "../settings.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import { planBackfill } from "./plan-backfill.ts";

/** What an install leaves to the background. */
export interface BackfillPlan {
  readonly sessions: number;
  readonly bytes: number;
  /** When the oldest of them was last used. */
  readonly oldest: number;
}

/** Starts the backfill in a process of its own; undefined when there is nothing to save or the user does not want it. */
export function startBackfill(environment: Environment, { dryRun }: { dryRun: boolean }): BackfillPlan | undefined {
  if (!loadSettings(environment).settings.backfill) return undefined;
  const sessions = planBackfill(environment);
  const oldest = sessions.at(-1)?.modified;
  if (oldest === undefined) return undefined;
  if (!dryRun) {
    const { paths, variables } = environment;
    makeDirectory(paths.root, { shared: true });
    void startDetached([...sessionSnapshotCommand(ownExecutable()), "backfill-worker"], variables, paths.root);
  }
  return { sessions: sessions.length, bytes: sessions.reduce((sum, { bytes }) => sum + bytes, 0), oldest };
}
