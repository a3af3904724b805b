/** `<config>/sessions/<pid>.json`, by which Claude names its running processes (since 2.1.112). */
export interface LiveSession {
  pid: number;
  sessionId: string;
  /** Of the process, in the system's own unit; absent in early versions. */
  startTime: string | undefined;
  /** What it is doing, since 2.1.197: `waiting` is for the user, as with a question about permissions. */
  status: "busy" | "idle" | "waiting" | undefined;
}

const statuses = ["busy", "idle", "waiting"] as const;

export function parseLiveSession(text: string): LiveSession | undefined {
  try {
    const value = JSON.parse(text) as Record<string, unknown> | null;
    const { pid, sessionId, procStart, status } = value ?? {};
    if (typeof pid !== "number" || typeof sessionId !== "string") return undefined;
    const known = statuses.find((name) => name === status);
    return { pid, sessionId, startTime: typeof procStart === "string" ? procStart : undefined, status: known };
  } catch {
    return undefined;
  }
}
