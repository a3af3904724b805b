import { attachHosted, type NoticeText, restartHosted } from "../../app/host/detachable.ts";
import type { Environment } from "../../app/environment.ts";
import type { RunRecord } from "../../core/run/run-record.ts";
import type { Output } from "../output.ts";
import { leaveHosted } from "./leave-hosted.ts";
import { formatClock } from "../format.ts";
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
