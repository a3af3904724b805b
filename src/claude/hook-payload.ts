/** What our hooks use of the JSON that Claude gives them on stdin. */
export interface HookPayload {
  event: string;
  sessionId: string;
  transcriptPath: string | undefined;
  cwd: string | undefined;
  source: string | undefined;
  agentId: string | undefined;
  lastAssistantMessage: string | undefined;
  durationMs: number | undefined;
  /** Everything, as it came. */
  fields: Readonly<Record<string, unknown>>;
  /** Of SessionEnd. */
  reason: string | undefined;
  /** Of StopFailure. */
  error: string | undefined;
}

/** Undefined when it is not a payload: an error for the caller to record, never to throw into Claude. */
export function parseHookPayload(text: string): HookPayload | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Record<string, unknown>;
  const textField = (name: string): string | undefined => {
    const field = fields[name];
    return typeof field === "string" && field !== "" ? field : undefined;
  };
  const event = textField("hook_event_name");
  const sessionId = textField("session_id");
  if (!event || !sessionId) return undefined;
  return {
    event,
    sessionId,
    transcriptPath: textField("transcript_path"),
    cwd: textField("cwd"),
    source: textField("source"),
    agentId: textField("agent_id"),
    lastAssistantMessage: textField("last_assistant_message"),
    durationMs: typeof fields["duration_ms"] === "number" ? fields["duration_ms"] : undefined,
    fields,
    reason: textField("reason"),
    error: textField("error"),
  };
}
