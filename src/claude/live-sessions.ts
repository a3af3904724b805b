/** `<config>/sessions/<pid>.json`, by which Claude names its running processes (since 2.1.112). */
export interface LiveSession {
  pid: number;
  sessionId: string;
  /** Of the process, in the system's own unit; absent in early versions. */
  startTime: string | undefined;
}

export function parseLiveSession(text: string): LiveSession | undefined {
  try {
    const value = JSON.parse(text) as Record<string, unknown> | null;
    const { pid, sessionId, procStart } = value ?? {};
    if (typeof pid !== "number" || typeof sessionId !== "string") return undefined;
    return { pid, sessionId, startTime: typeof procStart === "string" ? procStart : undefined };
  } catch {
    return undefined;
  }
}
