import { listMachines, measureHub } from "../../hub/machines.ts";
import type { Environment } from "../environment.ts";
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
