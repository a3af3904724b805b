import { Failure } from "../../core/failure.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import { withLockOrFail } from "../../store/lock.ts";
import { viewSession } from "../../store/snapshots/session-view.ts";
import type { Environment } from "../environment.ts";
import { findHolder, type Holder } from "./find-holder.ts";

const lockTimeoutMs = 5_000;

/** Runs the body while no hook and no other command of ours can change the session. */
export async function withSession<T>(
  { paths }: Environment,
  sessionId: string,
  body: () => T,
  waitMilliseconds = lockTimeoutMs,
): Promise<T> {
  makeDirectory(paths.locks);
  const message = `another command is working on session ${sessionId}`;
  return withLockOrFail(paths.lock(sessionId), body, { waitMilliseconds, message });
}

/** Also refuses while a run waits for its limit: it would find a changed transcript and pause. */
export function refuseWhileHeld(environment: Environment, sessionId: string): void {
  const view = viewSession(environment.paths, sessionId);
  const holder = findHolder(environment, sessionId, view?.transcriptPath);
  if (holder === undefined) return;
  throw new Failure("locked", `${nameHolder(holder)} holds session ${sessionId}`, {
    hint: `${howToEnd(holder)}, or add --force; what it then writes may not fit the restored transcript.`,
  });
}

export const nameHolder = (holder: Holder): string =>
  "id" in holder ? `${holder.kind} ${holder.id}` : `a running ${holder.kind} (process ${holder.pid})`;

const howToEnd = (holder: Holder): string =>
  holder.kind === "run" ? `Stop it first (ai-runtime stop ${holder.id})` : "Exit it first (/exit)";
