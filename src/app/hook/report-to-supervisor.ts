import { claudePidIn } from "../../claude/environment.ts";
import type { HookPayload } from "../../claude/hooks/hook-payload.ts";
import { writeTurnEvent } from "../../store/cclaude/turn-events.ts";
import { writeSessionEvent } from "../../store/cclaude/session-events.ts";
import type { Environment } from "../environment.ts";

/** Reports to the cclaude or host that started this claude which session is active, when a turn ended, and how it all ended. */
export function reportSessionEvent(environment: Environment, directory: string, payload: HookPayload): void {
  const { report: kind, turn } = payload.handling;
  if (payload.agentId !== undefined) return;
  // Recent clients set CLAUDE_PID; for older ones it is our parent process, because the shell between execs us.
  const claudePid = claudePidIn(environment.variables) ?? process.ppid;
  if (turn) writeTurnEvent(directory, { kind: turn, claudePid, time: environment.now() });
  if (kind === "nothing") return;
  const detail = kind === "failure" ? payload.error : payload.reason;
  writeSessionEvent(directory, {
    kind,
    claudePid,
    sessionId: payload.sessionId,
    transcriptPath: payload.transcriptPath ?? null,
    cwd: payload.cwd ?? null,
    time: environment.now(),
    detail: detail !== undefined && /^[a-z_]{1,40}$/.test(detail) ? detail : null,
    permissionMode: payload.permissionMode?.slice(0, 40) ?? null,
  });
}
