import { fileFacts } from "../../io/files/read-file.ts";
import { hostEventsVariable, currentEnvironment } from "../environment.ts";
import type { Variables } from "../../core/variables.ts";

/** One look at a file: without a hub, nothing else of the hub is loaded. A cclaude in a host does not ask: its client has. */
export const hasHub = (variables: Variables): boolean =>
  variables[hostEventsVariable] === undefined && fileFacts(currentEnvironment(variables).paths.hubConfig) !== undefined;
