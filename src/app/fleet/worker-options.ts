import { type Grant, rankOf, readGrant } from "../../claude/argv/fleet-flags.ts";
import { Failure } from "../../core/failure.ts";
import { readLabels } from "../../core/fleet/fleet-run.ts";

/** What a worker of this machine may do for the fleet. */
export interface WorkerOptions {
  readonly slots: number;
  readonly labels: readonly string[];
  /** Workers with the same name share its limit. Null: this machine's own. */
  readonly account: string | null;
  /** The most that a run may do without asking. */
  readonly grant: Grant;
  /** Sends branches with results to their repository. */
  readonly push: boolean;
  /** Ends when no run is left that it may take now. */
  readonly drain: boolean;
}

const maxSlots = 64;
const accountName = /^[A-Za-z0-9][\w.@+-]{0,79}$/;

export function readWorkerOptions(given: {
  readonly slots?: string | undefined;
  readonly labels?: string | undefined;
  readonly account?: string | undefined;
  readonly grant?: string | undefined;
  readonly push?: boolean | undefined;
  readonly drain?: boolean | undefined;
}): WorkerOptions {
  const slots = Number(given.slots ?? "1");
  if (!Number.isInteger(slots) || slots < 1 || slots > maxSlots) {
    throw new Failure("usage", `--slots must be a whole number from 1 to ${maxSlots} (got "${given.slots}")`);
  }
  const labels = readLabels(given.labels);
  if (labels === undefined) throw new Failure("usage", "--labels must be words such as linux,gpu");
  if (given.account !== undefined && !accountName.test(given.account)) {
    throw new Failure("usage", "--account must be a name such as team-1 or me@example.com");
  }
  const grant = readGrant(given.grant ?? "acceptEdits");
  if (grant === undefined) {
    throw new Failure("usage", `--grant must be default, acceptEdits or bypassPermissions (got "${given.grant}")`);
  }
  const { account = null, push = false, drain = false } = given;
  return { slots, labels, account, grant, push, drain };
}

/** Whether this worker may do what a task asks for. */
export const mayDo = ({ grant }: WorkerOptions, wanted: Grant): boolean => rankOf(wanted) <= rankOf(grant);
