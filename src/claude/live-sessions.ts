import type { OwnStatus } from "../core/host/hosted-state.ts";

/** `<config>/sessions/<pid>.json`, which Claude writes for each of its processes (since 2.1.112). */
export interface LiveSession {
  pid: number;
  sessionId: string;
  /** The working directory. */
  directory: string | undefined;
  /** Milliseconds since 1970: when its process started. */
  startedAt: number | undefined;
  /** In a terminal, as far as the file says: early versions do not. */
  isInteractive: boolean;
  /** Start time of the process, in the unit of the operating system; absent in early versions. */
  startTime: string | undefined;
  /** Since 2.1.197. `waiting`: for the user, for example for a permission. `shell`: idle, with tasks in the background. */
  status: "busy" | "idle" | "shell" | "waiting" | undefined;
  /** The same, with what it waits for. */
  ownStatus: OwnStatus | undefined;
  /** The name that the user or Claude gave it; undefined for one made from the directory. */
  name: string | undefined;
}

const statuses = ["busy", "idle", "shell", "waiting"] as const;

/** What `waitingFor` says in 2.1.197 and 2.1.326. */
const questions: Readonly<Record<string, OwnStatus>> = {
  "permission prompt": "permission",
  "sandbox request": "permission",
  "worker request": "permission",
  "goal proposal": "permission",
  "input needed": "question",
  "dialog open": "dialog",
};

/** 2.1.132 names the tool ("approve Bash"). A wait with a new name is more likely a question than not. */
function readWait(waitingFor: unknown): OwnStatus {
  const text = String(waitingFor);
  return questions[text] ?? (text.startsWith("approve ") ? "permission" : "question");
}

export function parseLiveSession(text: string): LiveSession | undefined {
  try {
    const value = JSON.parse(text) as Record<string, unknown> | null;
    const { pid, sessionId, cwd, startedAt, kind, procStart, status, waitingFor, name, nameSource } = value ?? {};
    if (typeof pid !== "number" || typeof sessionId !== "string") return undefined;
    const known = statuses.find((one) => one === status);
    return {
      pid,
      sessionId,
      directory: typeof cwd === "string" ? cwd : undefined,
      startedAt: typeof startedAt === "number" ? startedAt : undefined,
      isInteractive: kind === undefined || kind === "interactive",
      startTime: typeof procStart === "string" ? procStart : undefined,
      status: known,
      ownStatus: known === "waiting" ? readWait(waitingFor) : known,
      name: typeof name === "string" && name !== "" && nameSource !== "derived" ? name : undefined,
    };
  } catch {
    return undefined;
  }
}

/**
 * Whether the last line of a transcript says that its claude exited by itself: 2.1.326 then writes the cost. It never removes the
 * session file of a killed claude, even when the conversation was continued since and is over; 2.1.197 does, at any later start.
 */
export function isExitLine(line: string): boolean {
  try {
    return (JSON.parse(line) as { type?: unknown } | null)?.type === "cost-state";
  } catch {
    return false;
  }
}
