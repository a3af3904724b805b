import type { Variables } from "../../core/variables.ts";
import { fileFacts } from "../../io/files/read-file.ts";
import { currentEnvironment, hostEventsVariable } from "../environment.ts";

/** One look at a file: without a hub, nothing else of the hub is loaded. A cclaude in a host does not ask: its client has. */
export function hasHub(variables: Variables): boolean {
  if (variables[hostEventsVariable] !== undefined) return false;
  try {
    return fileFacts(currentEnvironment(variables).paths.hubConfig) !== undefined;
  } catch {
    // Local commands work without access to the directory, too.
    return false;
  }
}
