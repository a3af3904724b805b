import { listMachines, measureHub } from "../../hub/machines.ts";
import { readReplicationState } from "../../store/hub/hub-files.ts";
import type { Environment } from "../environment.ts";
import { requireHubConfig } from "./hub-config.ts";
import { listLocalSubjects } from "./replicate/local-subjects.ts";
import { openLabel } from "./labels.ts";
import { withHub } from "./open-hub.ts";

export interface MachineReport {
  readonly id: string;
  readonly name: string;
  readonly isThis: boolean;
  readonly seen: number;
  readonly departed: boolean;
  /** Sessions that it wrote last. */
  readonly sessions: number;
}

export interface HubReport {
  readonly shown: string;
  readonly machines: MachineReport[];
  readonly sessions: number;
  readonly bytes: number;
}

/** Asks the hub; throws in words when it cannot be reached. */
export const readHubStatus = (environment: Environment): Promise<HubReport> =>
  withHub(environment, async ({ connection, sealer, config }) => {
    const rows = await listMachines(connection);
    const machines = rows.map(({ id, label, seen, departed, sessions }) => {
      const name = openLabel(sealer, id, label)?.["name"];
      const shownName = typeof name === "string" ? name : id;
      return { id, name: shownName, isThis: id === config.machine, seen: seen.getTime(), departed, sessions };
    });
    return { shown: connection.address.shown, machines, ...(await measureHub(connection)) };
  });

/** What of this machine is not in the hub yet, by the notes of the replicator. Works while the hub is away. */
export interface Lag {
  /** Sessions, runs and workspaces with something new. */
  readonly waiting: number;
  /** How long the oldest change has waited, in milliseconds. */
  readonly oldestMs: number;
  /** Why the replicator could not send; null when it could. */
  readonly problem: string | null;
  /** When it last reached the hub, in milliseconds since 1970; 0: never. */
  readonly reached: number;
  /** Sessions that were continued both here and elsewhere. */
  readonly diverged: string[];
}

export function readLag(environment: Environment): Lag {
  const { hub } = requireHubConfig(environment);
  const state = readReplicationState(environment.paths, hub);
  const newer = listLocalSubjects(environment, state.through).filter(({ changed }) => changed > state.through);
  const oldest = Math.min(environment.now(), ...newer.map(({ changed }) => changed));
  return {
    waiting: newer.length,
    oldestMs: Math.round(environment.now() - oldest),
    problem: state.problem,
    reached: state.reached,
    diverged: Object.keys(state.diverged),
  };
}
