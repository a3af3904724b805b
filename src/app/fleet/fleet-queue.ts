import { Failure } from "../../core/failure.ts";
import { type FleetOutcome, type FleetState, hasFleetRunEnded, patchBinding } from "../../core/fleet/fleet-run.ts";
import { matchId } from "../../core/match-id.ts";
import {
  findFleetIds,
  type FleetRow,
  listEndedFleetRuns,
  listOpenFleetRuns,
  placeFleetRun,
  readFleetPatch,
  readFleetRun,
  stopFleetRun,
} from "../../hub/fleet-runs.ts";
import { listAccounts, listWorkers } from "../../hub/fleet-workers.ts";
import type { Environment } from "../environment.ts";
import { openLabel } from "../hub/labels.ts";
import { type Hub, withHub } from "../hub/open-hub.ts";
import { openOutcome, openTask } from "./sealed.ts";

/** A run of the fleet, as this machine can read it. */
export interface FleetRunView {
  readonly id: string;
  readonly sessionId: string;
  readonly state: FleetState;
  readonly task: string;
  readonly repo: string | null;
  readonly ref: string | null;
  readonly labels: readonly string[];
  readonly priority: number;
  /** The machine that queued it. */
  readonly from: string;
  /** The machine that works on it. */
  readonly worker: string | null;
  /** When it may start, in milliseconds since 1970; null when it may start now or has started. */
  readonly startsAt: number | null;
  /** The account whose limit it waits for: others may take it at once. */
  readonly waitsFor: string | null;
  readonly claims: number;
  readonly created: number;
  readonly updated: number;
  readonly outcome: FleetOutcome | null;
}

/** Names for ids that only machines of the hub can read. */
interface Names {
  readonly workers: ReadonlyMap<string, string>;
  readonly accounts: ReadonlyMap<string, string>;
}

async function readNames({ connection, sealer }: Hub): Promise<Names> {
  const nameIn = (id: string, label: Uint8Array): string => {
    const name = openLabel(sealer, id, label)?.["name"];
    return typeof name === "string" ? name : id.slice(0, 8);
  };
  const workers = (await listWorkers(connection)).map(({ id, label }) => [id, nameIn(id, label)] as const);
  const accounts = (await listAccounts(connection)).map(({ account, label }) => {
    const tag = Buffer.from(account).toString("hex");
    return [tag, nameIn(tag, label)] as const;
  });
  return { workers: new Map(workers), accounts: new Map(accounts) };
}

function viewOf({ sealer }: Hub, names: Names, row: FleetRow, now: number): FleetRunView {
  const { task, repo, ref, labels, from } = readTask(sealer, row);
  const waits = row.state === "queued" || row.state === "waiting";
  const waitsFor = row.waitsFor === null ? undefined : Buffer.from(row.waitsFor).toString("hex");
  return {
    id: row.id,
    sessionId: row.session,
    state: row.state,
    task,
    repo,
    ref,
    labels,
    priority: row.priority,
    from,
    worker: row.worker === null ? null : (names.workers.get(row.worker) ?? row.worker.slice(0, 8)),
    startsAt: waits && row.startsInMs > 0 ? Math.round(now + row.startsInMs) : null,
    waitsFor: waitsFor === undefined ? null : (names.accounts.get(waitsFor) ?? waitsFor.slice(0, 8)),
    claims: row.fence,
    created: row.created.getTime(),
    updated: row.updated.getTime(),
    outcome: openOutcome(sealer, row) ?? null,
  };
}

/** One task that cannot be read must not hide the others. */
function readTask(sealer: Hub["sealer"], row: FleetRow): Omit<ReturnType<typeof openTask>, "version"> {
  try {
    return openTask(sealer, row);
  } catch {
    const nothing = { flags: [], permissionMode: null, maxBudgetUsd: null, repo: null, ref: null, labels: [] };
    return { ...nothing, task: "(cannot be read with this key)", from: "?", created: 0 };
  }
}

const maxListed = 200;

/** Those with a worker, then the others in the order in which they start; with `ended`, the newest ended ones, too. */
export const listFleet = (environment: Environment, ended: number): Promise<FleetRunView[]> =>
  withHub(environment, async (hub) => {
    const names = await readNames(hub);
    const open = await listOpenFleetRuns(hub.connection, maxListed);
    const over = ended > 0 ? await listEndedFleetRuns(hub.connection, ended) : [];
    return [...open, ...over].map((row) => viewOf(hub, names, row, environment.now()));
  });

/** A run by its id, or a beginning or end of it. Undefined when the fleet has none. */
export async function findFleetRow({ connection }: Hub, given: string): Promise<FleetRow | undefined> {
  const ids = await findFleetIds(connection, given, 20);
  const id = matchId(ids, given, { kind: "runs of the fleet", allowSuffix: true });
  return id === undefined ? undefined : readFleetRun(connection, id);
}

async function requireFleetRow(hub: Hub, given: string): Promise<FleetRow> {
  const row = await findFleetRow(hub, given);
  if (row) return row;
  throw new Failure("not-found", `the fleet has no run "${given.slice(0, 60)}"`, {
    hint: "ai-runtime queue list --fleet shows them.",
  });
}

/** Ends a run for good, on whatever machine it is. */
export const stopFleet = (environment: Environment, given: string): Promise<string> =>
  withHub(environment, async (hub) => {
    const { id, state } = await requireFleetRow(hub, given);
    const stopped = await stopFleetRun(hub.connection, id, hub.config.machine);
    if (stopped) return id;
    throw new Failure("not-found", `run ${id} has ended already (${state})`);
  });

/** `place` counts from 1 among those that wait. */
export const moveFleet = (
  environment: Environment,
  given: string,
  to: { readonly place: number | undefined; readonly priority: number | undefined },
): Promise<string> =>
  withHub(environment, async (hub) => {
    const row = await requireFleetRow(hub, given);
    const target = to.place === undefined ? atPriority(row, to.priority ?? 0) : await atPlace(hub, row, to.place);
    if (await placeFleetRun(hub.connection, row.id, target)) return row.id;
    throw new Failure("not-found", `run ${row.id} no longer waits`);
  });

const atPriority = ({ place }: FleetRow, priority: number): { priority: number; place: number } => ({
  priority,
  place,
});

/** Between its new neighbors, with the priority of the run whose place it takes. */
async function atPlace(hub: Hub, row: FleetRow, place: number): Promise<{ priority: number; place: number }> {
  const open = await listOpenFleetRuns(hub.connection, maxListed);
  const others = open.filter(({ id, state }) => id !== row.id && state !== "running");
  const after = others[place - 1];
  const before = others[Math.min(place, others.length + 1) - 2];
  if (!after) return { priority: before?.priority ?? row.priority, place: (before?.place ?? row.place) + 1 };
  const isBetween = before !== undefined && before.priority === after.priority;
  return { priority: after.priority, place: isBetween ? (before.place + after.place) / 2 : after.place - 1 };
}

export interface FleetResult {
  readonly run: FleetRunView;
  /** Undefined when nothing changed, or it has no result. */
  readonly patch: Buffer | undefined;
}

export const readFleetResult = (environment: Environment, given: string): Promise<FleetResult> =>
  withHub(environment, async (hub) => {
    const row = await requireFleetRow(hub, given);
    if (!hasFleetRunEnded(row.state)) {
      throw new Failure("not-found", `run ${row.id} has no result yet (${row.state})`, {
        hint: `Watch it with: ai-runtime attach ${row.id}`,
      });
    }
    const sealed = await readFleetPatch(hub.connection, row.id);
    const patch = sealed && hub.sealer.open(sealed, patchBinding(row.id));
    if (sealed && !patch) {
      throw new Failure("corrupt", `the result of run ${row.id} is not what a machine of this hub wrote`);
    }
    return { run: viewOf(hub, await readNames(hub), row, environment.now()), patch };
  });
