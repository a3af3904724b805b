import { currentEnvironment } from "../../../app/environment.ts";
import { deliverAll } from "../../../app/notify/deliver.ts";

/** Internal: a run, host or service with an event for the user starts it in the background. */
export const runDeliver = (): Promise<void> => deliverAll(currentEnvironment(process.env));
