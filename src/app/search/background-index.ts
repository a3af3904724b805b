import { messageOf } from "../../core/message-of.ts";
import { lowerPriority } from "../../io/process/lower-priority.ts";
import { backfill } from "../backfill/backfill.ts";
import { isInterrupted, readBackfillState } from "../backfill/backfill-state.ts";
import type { Environment } from "../environment.ts";
import { logProblem } from "../program-log.ts";
import { maintainIndex } from "./open-index.ts";

/** Install starts this: saves all conversations, then makes them searchable. Failures are in the log, which `status` reads. */
export async function backfillInBackground(environment: Environment): Promise<void> {
  lowerPriority();
  await noted(environment, "backfill", () => backfill(environment, { isGentle: true }));
  await updateIndexInBackground(environment);
}

/** Maintenance does this once a day, and continues a backfill that was killed. */
export async function continueInBackground(environment: Environment): Promise<void> {
  const state = readBackfillState(environment);
  if (state && isInterrupted(state)) return backfillInBackground(environment);
  await updateIndexInBackground(environment);
}

async function updateIndexInBackground(environment: Environment): Promise<void> {
  await noted(environment, "search index", async () => maintainIndex(environment));
}

async function noted(environment: Environment, what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logProblem(environment, `${what}: ${messageOf(error)}`);
  }
}
