import type { Attached } from "../../app/host/attach.ts";
import { shortId } from "../../app/run-records/list-runs.ts";
import { attachHosted, type NoticeText, restartHosted } from "../../app/host/detachable.ts";
import type { Environment } from "../../app/environment.ts";
import type { RunRecord } from "../../core/run/run-record.ts";
import type { Output } from "../output.ts";
import { resumeWith } from "./recovery-messages.ts";
import { formatClock, formatTime } from "../format.ts";
import { exitCodes } from "../exit-codes.ts";

const noticeText: NoticeText = (id, key, status) => {
  const until = status?.state.kind === "limit" ? status.state.until : null;
  const limit = until === null ? "" : ` · limit until ${formatClock(until, Date.now())}`;
  return `attached to ${id} · ${key.name} detaches${limit}`;
};

/** Shows a hosted program until it ends or the user detaches; returns the exit code. */
export async function showHosted(environment: Environment, id: string): Promise<number> {
  return leaveHosted(id, await attachHosted(environment, id, noticeText));
}

/** Restarts an interrupted hosted program, and shows it when there is a terminal. */
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
