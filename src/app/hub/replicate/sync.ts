import type { Environment } from "../../environment.ts";
import { withHub } from "../open-hub.ts";
import { type PassReport, Replication } from "./replication.ts";

/** Replicates everything now, also while the replicator runs: the hub accepts each change once. */
export const syncHub = (environment: Environment): Promise<PassReport> =>
  withHub(environment, (hub) => new Replication(environment).pass(hub));
