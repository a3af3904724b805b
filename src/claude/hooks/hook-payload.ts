import type { SnapshotTrigger } from "../../core/snapshot/snapshot-due.ts";
import { asText, parseObject } from "../json-object.ts";
import { type HookEvent, type HookHandling, handlingOf } from "./hook-event.ts";

/** The part of a hook's stdin JSON that we use. */
export interface HookPayload {
  /** As received: a newer client may send events that our table does not have. */
  event: string;
  handling: HookHandling;
  /** `handling.snapshot`, decided for this call. */
  snapshot: SnapshotTrigger;
  sessionId: string;
  transcriptPath: string | undefined;
  cwd: string | undefined;
  /** SessionStart: how the session started. */
  source: string | undefined;
  /** Set when a subagent or a compaction caused the event. */
  agentId: string | undefined;
  lastAssistantMessage: string | undefined;
  durationMs: number | undefined;
  permissionMode: string | undefined;
  /** All fields as received. */
  fields: Readonly<Record<string, unknown>>;
  /** SessionEnd: why the session ended. */
  reason: string | undefined;
  /** StopFailure: what failed. */
  error: string | undefined;
}

/** Undefined when the text is not a payload. The caller logs that; a hook never fails Claude's call. */
export function parseHookPayload(text: string): HookPayload | undefined {
  const fields = parseObject(text);
  const event = asText(fields?.["hook_event_name"]);
  const sessionId = asText(fields?.["session_id"]);
  if (!fields || !event || !sessionId) return undefined;
  const handling = handlingOf(event);
  const source = asText(fields["source"]);
  return {
    event,
    handling,
    snapshot: snapshotTrigger(handling, source),
    sessionId,
    transcriptPath: asText(fields["transcript_path"]),
    cwd: asText(fields["cwd"]),
    source,
    agentId: asText(fields["agent_id"]),
    lastAssistantMessage: asText(fields["last_assistant_message"]),
    durationMs: typeof fields["duration_ms"] === "number" ? fields["duration_ms"] : undefined,
    permissionMode: asText(fields["permission_mode"]),
    fields,
    reason: asText(fields["reason"]),
    error: asText(fields["error"]),
  };
}

function snapshotTrigger({ snapshot }: HookHandling, source: string | undefined): SnapshotTrigger {
  if (snapshot !== "any-growth-on-resume") return snapshot;
  return source === "resume" ? "any-growth" : "none";
}

interface HookCall {
  readonly event: HookEvent;
  readonly sessionId: string;
  readonly transcriptPath: string;
  readonly cwd?: string;
}

/** The stdin JSON with which Claude calls a hook, for our own tests of the hook and for the demo. */
export function formatHookPayload({ event, sessionId, transcriptPath, cwd }: HookCall, more: object = {}): string {
  return JSON.stringify({
    session_id: sessionId,
    transcript_path: transcriptPath,
    hook_event_name: event,
    ...(cwd === undefined ? {} : { cwd }),
    ...more,
  });
}
