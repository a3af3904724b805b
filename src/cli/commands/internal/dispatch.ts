import { currentEnvironment } from "../../../app/environment.ts";
import { dispatch } from "../../../app/queue/dispatch.ts";

/** Internal: a command that finds runs in the queue starts it in the background. */
export const runDispatch = (): Promise<void> => dispatch(currentEnvironment(process.env));
