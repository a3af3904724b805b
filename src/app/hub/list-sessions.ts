import { decideLease } from "../../core/hub/lease.ts";
import { listHeads } from "../../hub/subjects.ts";
import { listMachines } from "../../hub/machines.ts";
import type { Environment } from "../environment.ts";
import { readLabel } from "./fetch/find-in-hub.ts";
import { openLabel } from "./labels.ts";
import { withHub } from "./open-hub.ts";

export interface HubSession {
  readonly id: string;
  readonly title: string | null;
  readonly directory: string | null;
  readonly machine: string;
  readonly isThisMachine: boolean;
  /** Another machine is writing it now. */
  readonly held: boolean;
  readonly bytes: number;
  /** Milliseconds since 1970, by the clock of the database. */
  readonly updated: number;
}

/** Newest first. */
export const listHubSessions = (environment: Environment, limit: number): Promise<HubSession[]> =>
  withHub(environment, async (hub) => {
    const { connection, sealer, config } = hub;
    const names = new Map(
      (await listMachines(connection)).map(({ id, label }) => [id, openLabel(sealer, id, label)?.["name"]]),
    );
    return (await listHeads(connection, "session", { limit })).map((head): HubSession => {
      const { title, cwd } = readLabel(hub, head);
      const name = names.get(head.holder);
      return {
        id: head.id,
        title,
        directory: cwd,
        machine: typeof name === "string" ? name : head.holder,
        isThisMachine: head.holder === config.machine,
        held: decideLease(head, config.machine) === "held",
        bytes: head.bytes,
        updated: head.updated.getTime(),
      };
    });
  });
