import type { Attached } from "../app/attach.ts";
import { attachHosted, type HostWords, restartHosted } from "../app/detachable.ts";
import type { Environment } from "../app/environment.ts";
import type { RunRecord } from "../core/run-record.ts";
import type { Output } from "./output.ts";
import { formatTime } from "./format.ts";
import { exitCodes } from "./exit-codes.ts";

export const hostWords: HostWords = {
  greeting: (id, key) => `Detachable · ${key.name} detaches · ai-runtime attach ${shortId(id)} comes back`,
  notice: (id, key) => `attached to ${id} · ${key.name} detaches`,
};

/** Its last part, which is enough to say which one is meant. */
const shortId = (id: string): string => id.slice(id.lastIndexOf("-") + 1);

/** Shows a hosted program until it ends or the user leaves; the exit code. */
export async function showHosted(environment: Environment, id: string): Promise<number> {
  return leaveHosted(id, await attachHosted(environment, id, hostWords));
}

/** Starts one that was interrupted again, and shows it where there is a terminal. */
export async function resumeHosted(
  environment: Environment,
  record: RunRecord,
  output: Output,
  detach = !output.isTerminal,
): Promise<number> {
  const { id } = record.plan;
  await restartHosted(environment, record);
  if (!detach) return showHosted(environment, id);
  output.data(id);
  output.note(`Running in the background. Show it with: ai-runtime attach ${id}`);
  return exitCodes.done;
}

/** Says on stderr how looking at a program ended; the exit code, which is the program's. */
export function leaveHosted(id: string, attached: Attached): number {
  switch (attached.kind) {
    case "ended":
      // Died of a signal: so do we, for a shell to see the same as from the program itself.
      if (attached.end.signal !== null) process.kill(process.pid, attached.end.signal as NodeJS.Signals);
      return attached.end.exitCode;
    case "over": {
      const how = attached.end.signal ?? `exit code ${attached.end.exitCode}`;
      process.stderr.write(`${id} ended at ${formatTime(attached.time, Date.now())} (${how}).\n`);
      return attached.end.exitCode;
    }
    case "detached":
      process.stderr.write(`Detached from ${id}; it goes on. Come back with: ai-runtime attach ${shortId(id)}\n`);
      return exitCodes.done;
    case "told":
      process.kill(process.pid, attached.signal);
      return exitCodes.stopped;
    case "lost":
      process.stderr.write(
        `The host of ${id} is gone, and Claude with it. Go on with: ai-runtime resume ${shortId(id)}\n`,
      );
      return exitCodes.failed;
  }
}
