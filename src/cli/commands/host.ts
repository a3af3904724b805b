import { currentEnvironment } from "../../app/environment.ts";
import { type Announcement, runHost } from "../../app/hosts.ts";
import { Failure } from "../../core/failure.ts";

/** Not for people: the process that owns a hosted program. Its first line on stdout tells the starter how it went. */
export async function runHostCommand(id: string): Promise<void> {
  const announce = (said: Announcement): void => void process.stdout.write(`${JSON.stringify(said)}\n`);
  // The starter is gone by then, and its end of the line with it.
  process.stdout.on("error", () => undefined);
  try {
    await runHost(currentEnvironment(process.env), id, () => announce({ ready: true }));
    process.exitCode = 0;
  } catch (error) {
    const kind = error instanceof Failure ? error.kind : "failed";
    const hint = error instanceof Failure ? error.hint : undefined;
    announce({ failure: { kind, message: error instanceof Error ? error.message : String(error), hint } });
    process.exitCode = 1;
  }
}
