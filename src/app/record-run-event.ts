import type { HookPayload } from "../claude/hook-payload.ts";
import { type RunEvent, writeRunEvent } from "../store/run-events.ts";
import type { Environment } from "./environment.ts";

/** Tells the cclaude that started this claude which session it holds, and how that ended. */
export function recordRunEvent(environment: Environment, directory: string, payload: HookPayload): void {
  // Old clients give a resumed session's start a throw-away id, and a fork's the old one.
  if (payload.agentId !== undefined || payload.event === "SessionStart") return;
  const kind = kinds[payload.event] ?? "session";
  const detail = kind === "failure" ? payload.error : payload.reason;
  writeRunEvent(directory, {
    kind,
    // Recent clients say it; otherwise it is who started us, directly or by a shell that made way for us.
    claudePid: Number(environment.variables["CLAUDE_PID"]) || process.ppid,
    sessionId: payload.sessionId,
    transcriptPath: payload.transcriptPath ?? null,
    cwd: payload.cwd ?? null,
    time: environment.now(),
    detail: detail !== undefined && /^[a-z_]{1,40}$/.test(detail) ? detail : null,
  });
}

const kinds: Record<string, RunEvent["kind"]> = { StopFailure: "failure", SessionEnd: "end" };
