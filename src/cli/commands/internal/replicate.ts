import { currentEnvironment } from "../../../app/environment.ts";
import { runReplicator } from "../../../app/hub/replicate/replicator.ts";

/** The background process of a machine with a hub. */
export const runReplicateCommand = (): Promise<void> => runReplicator(currentEnvironment(process.env));
