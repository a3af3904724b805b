import { runDetachable } from "../../app/detachable.ts";
import { currentEnvironment } from "../../app/environment.ts";
import { hostWords, leaveHosted } from "../host-words.ts";

/** cclaude as always, in a terminal that outlives this one. */
export async function runDetachableClaude(argv: readonly string[]): Promise<void> {
  const environment = currentEnvironment(process.env);
  const id = crypto.randomUUID().slice(0, 8);
  const command = [process.execPath, ...argv];
  const program = { id, command, name: "cclaude", directory: environment.cwd };
  leaveHosted(id, await runDetachable(environment, program, hostWords));
}
