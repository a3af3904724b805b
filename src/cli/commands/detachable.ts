import { runDetachable } from "../../app/detachable.ts";
import { currentEnvironment } from "../../app/environment.ts";
import { hostingOfClaude } from "../../app/host-claude.ts";
import { hostWords, leaveHosted } from "../host-words.ts";

/** cclaude as always, in a terminal that outlives this one; the exit code. */
export async function runDetachableClaude(argv: readonly string[]): Promise<number> {
  const environment = currentEnvironment(process.env);
  const hosting = hostingOfClaude(environment, argv);
  return leaveHosted(hosting.id, await runDetachable(environment, hosting, hostWords));
}
