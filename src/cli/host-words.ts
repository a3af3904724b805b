import type { Attached } from "../app/attach.ts";
import type { HostWords } from "../app/detachable.ts";
import { exitCodes } from "./exit-codes.ts";

export const hostWords: HostWords = {
  greeting: (id, key) => `Detachable · ${key.name} detaches · ai-runtime attach ${shortId(id)} comes back`,
  notice: (id, key) => `attached to ${id} · ${key.name} detaches`,
};

/** Its last part, which is enough to say which one is meant. */
const shortId = (id: string): string => id.slice(id.lastIndexOf("-") + 1);

/** Says on stderr how looking at a program ended, and ends as it did. */
export function leaveHosted(id: string, attached: Attached): void {
  switch (attached.kind) {
    case "ended":
      // Died of a signal: so do we, for a shell to see the same as from the program itself.
      if (attached.end.signal !== null) process.kill(process.pid, attached.end.signal as NodeJS.Signals);
      process.exitCode = attached.end.exitCode;
      return;
    case "detached":
      process.stderr.write(`Detached from ${id}; it goes on. Come back with: ai-runtime attach ${shortId(id)}\n`);
      process.exitCode = exitCodes.done;
      return;
    case "told":
      process.kill(process.pid, attached.signal);
      return;
    case "lost":
      process.stderr.write(`The host of ${id} is gone, and what ran in it with it. See: ai-runtime status ${id}\n`);
      process.exitCode = exitCodes.failed;
      return;
  }
}
