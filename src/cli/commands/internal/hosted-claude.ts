import { HostUnavailable, runInHost } from "../../../app/host/run-in-host.ts";
import { currentEnvironment } from "../../../app/environment.ts";
import { hostingOfClaude } from "../../../app/host/new-hosting.ts";
import { leaveHosted } from "../../messages/leave-hosted.ts";

/** Runs cclaude in a host, attached to this terminal. Returns the exit code; undefined when no host can start. */
export async function runHostedClaude(argv: readonly string[]): Promise<number | undefined> {
  const environment = currentEnvironment(process.env);
  const hosting = hostingOfClaude(environment, argv);
  try {
    return leaveHosted(hosting.id, await runInHost(environment, { ...hosting, isTransient: true }));
  } catch (error) {
    if (!(error instanceof HostUnavailable)) throw error;
    process.stderr.write(`cclaude: Claude runs without a host and ends with this terminal: ${error.message}\n`);
    return undefined;
  }
}
