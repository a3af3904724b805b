import { Failure } from "../core/failure.ts";
import { makeDirectory } from "../io/durable.ts";
import { withLock } from "../store/lock.ts";
import { viewSession } from "../store/session-view.ts";
import type { Environment } from "./environment.ts";
import { findLiveClaude } from "./live-session.ts";

const patience = 5_000;

/** Runs the body while no hook and no other command of ours can touch the session. */
export async function withSession<T>(
  { paths }: Environment,
  sessionId: string,
  body: () => T,
  waitMilliseconds = patience,
): Promise<T> {
  makeDirectory(paths.locks);
  const locked = await withLock(paths.lock(sessionId), body, { waitMilliseconds });
  if (locked.state === "done") return locked.value;
  throw new Failure("locked", `another command is working on session ${sessionId}`, { hint: "Try again in a moment." });
}

export function refuseWhileLive(environment: Environment, sessionId: string): void {
  const view = viewSession(environment.paths, sessionId);
  const pid = findLiveClaude(environment, sessionId, typeof view === "string" ? undefined : view.transcriptPath);
  if (pid === undefined) return;
  throw new Failure("locked", `a running claude (process ${pid}) holds session ${sessionId}`, {
    hint: "Leave it first (/exit), or add --force: what it writes afterwards may then not fit the restored transcript.",
  });
}
