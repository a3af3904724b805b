import { currentEnvironment } from "../../../app/environment.ts";
import { runHost, runTerminalHost } from "../../../app/host/process.ts";
import type { Announcement } from "../../../app/host/registry.ts";
import { Failure } from "../../../core/failure.ts";
import { messageOf } from "../../../core/message-of.ts";

/** Internal: the process that owns a hosted program. Its first line on stdout reports whether it started. */
export const runHostCommand = (id: string): Promise<void> =>
  announced((onReady) => runHost(currentEnvironment(process.env), id, onReady));

/** Internal: like runHostCommand, for a client that sends the plan on stdin and attaches. */
export const runTerminalHostCommand = (): Promise<void> =>
  announced((onReady) => runTerminalHost(currentEnvironment(process.env), onReady));

async function announced(run: (onReady: (socket: string) => void) => Promise<unknown>): Promise<void> {
  const announce = (announcement: Announcement): void => void process.stdout.write(`${JSON.stringify(announcement)}\n`);
  // The process that started it may have closed its end of the pipe.
  process.stdout.on("error", () => undefined);
  try {
    await run((socket) => announce({ ready: true, socket }));
    process.exitCode = 0;
  } catch (error) {
    const kind = error instanceof Failure ? error.kind : "failed";
    const hint = error instanceof Failure ? error.hint : undefined;
    announce({ failure: { kind, message: messageOf(error), hint } });
    process.exitCode = 1;
  }
}
