import type { Attached } from "../../app/host/attach.ts";
import { shortId } from "../../app/run-records/short-id.ts";
import { exitCodes } from "../exit-codes.ts";
import { formatTime } from "../format.ts";
import { resumeWith } from "./recovery-messages.ts";

/** Reports on stderr how an attach ended; returns the exit code of the program. */
export function leaveHosted(id: string, attached: Attached): number {
  switch (attached.kind) {
    case "ended":
      // Ends by the same signal, so that a shell sees what it would see from the program itself.
      if (attached.end.signal !== null) process.kill(process.pid, attached.end.signal as NodeJS.Signals);
      return attached.end.exitCode;
    case "over": {
      const how = attached.end.signal ?? `exit code ${attached.end.exitCode}`;
      process.stderr.write(`${id} ended at ${formatTime(attached.time, Date.now())} (${how}).\n`);
      return attached.end.exitCode;
    }
    case "detached":
      process.stderr.write(`Detached from ${id}, which continues. Come back with: ai-runtime attach ${shortId(id)}\n`);
      return exitCodes.done;
    case "signaled":
      process.kill(process.pid, attached.signal);
      return exitCodes.stopped;
    case "lost":
      process.stderr.write(
        `The host of ${id} is gone, and Claude with it. ${resumeWith(`ai-runtime resume ${shortId(id)}`)}\n`,
      );
      return exitCodes.failed;
  }
}
