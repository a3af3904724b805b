import { Failure } from "../../core/failure.ts";
import { fleetKillMs } from "../../core/fleet/fleet-lease.ts";
import type { FleetTask } from "../../core/fleet/fleet-run.ts";
import { endSubjectLeases, type FleetRow } from "../../hub/fleet-runs.ts";
import { readHead } from "../../hub/subjects.ts";
import { endProcess } from "../../io/process/end-process.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { readIfWhole } from "../../store/runs/run-registry.ts";
import type { Environment } from "../environment.ts";
import { placeRun } from "../hub/fetch/hub-runs.ts";
import type { Hub } from "../hub/open-hub.ts";
import { runSubjectId } from "../hub/replicate/gather-run.ts";
import { createRun, runPathsOf } from "../run-records/register-run.ts";
import type { FleetWorkspace } from "./fleet-workspace.ts";
import { openBase, sealBase } from "./sealed.ts";

/** A machine whose worker died may renew a lease once more before it notices. */
const maxTries = 8;
const pauseMs = 500;

export interface Brought {
  /** The commit that its work starts from. */
  readonly base: string;
  readonly how: "new" | "continued" | "from-hub";
}

export interface ToBring {
  readonly row: FleetRow;
  readonly task: FleetTask;
  readonly workspace: FleetWorkspace;
  readonly noteBase: (sealed: Uint8Array) => Promise<boolean>;
}

/** Makes a claimed run ready to start on this machine: as a new run, with its own records, or with what the hub has. */
export async function bringFleetRun(environment: Environment, hub: Hub, given: ToBring): Promise<Brought> {
  const { row, task, workspace, noteBase } = given;
  const paths = runPathsOf(environment);
  const known = openBase(hub.sealer, row);
  const head = await readHead(hub.connection, runSubjectId(row.id));
  const isOurs = head === undefined || head.holder === hub.config.machine;
  await endLeft(paths, row.id);
  if (readIfWhole(paths, row.id) && known !== null && isOurs && workspace.isPresent) {
    return { base: known, how: "continued" };
  }
  const base = await workspace.prepare(known ?? task.ref);
  if (known === null && !(await noteBase(sealBase(hub.sealer, row.id, base)))) {
    throw new Failure("locked", `run ${row.id} belongs to another worker by now`);
  }
  if (head) {
    await fromHub(environment, hub, row, workspace.directory);
    return { base, how: "from-hub" };
  }
  if (readIfWhole(paths, row.id)) return { base, how: "continued" };
  createRun(
    { ...environment, cwd: workspace.directory },
    {
      kind: "headless",
      task: task.task,
      flags: task.flags,
      permissionMode: task.permissionMode,
      maxBudgetUsd: task.maxBudgetUsd,
      // A limit is the fleet's to wait for.
      maxWait: 0,
      fleet: { id: row.id, sessionId: row.session },
    },
  );
  return { base, how: "new" };
}

async function fromHub(environment: Environment, hub: Hub, row: FleetRow, place: string): Promise<void> {
  const paths = runPathsOf(environment);
  const subject = runSubjectId(row.id);
  for (let tries = 1; ; tries++) {
    const head = await readHead(hub.connection, subject);
    const session = await readHead(hub.connection, row.session);
    if (!head) throw new Failure("not-found", `the hub no longer has run ${row.id}`);
    try {
      return await placeRun(environment, hub, { paths, id: row.id, head, session, place });
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== "locked" || tries >= maxTries) throw error;
      await Bun.sleep(pauseMs);
      await endSubjectLeases(hub.connection, row, hub.config.machine);
    }
  }
}

/** What an earlier worker of this machine left running. */
async function endLeft(paths: RunPaths, id: string): Promise<void> {
  const status = readIfWhole(paths, id)?.status;
  for (const left of [status?.supervisor, status?.child]) {
    if (left && left.pid !== process.pid) await endProcess(left, fleetKillMs);
  }
}
