import { type Check, has, isAmount, isText, isTime, orNull } from "../../core/check-record.ts";
import { replaceFile } from "../../io/durable/durable.ts";
import { isDirectory, listDirectory } from "../../io/files/read-file.ts";
import { readOptionalRecord } from "../read-optional-record.ts";

/** What a hook reports to the cclaude that supervises this claude. It has no text of the conversation. */
export interface SessionEvent {
  kind: "session" | "failure" | "end";
  /** The claude that called the hook; a nested claude has another pid. */
  claudePid: number;
  sessionId: string;
  transcriptPath: string | null;
  cwd: string | null;
  /** Milliseconds since 1970. */
  time: number;
  /** The error of a failure, the reason of an end. */
  detail: string | null;
  /** Claude's permission mode at this event. Absent in events of older hooks. */
  permissionMode?: string | null;
}

/** Keeps the newest event of each kind and claude. Without the directory no cclaude is left to read it. */
export function writeSessionEvent(directory: string, event: SessionEvent): void {
  if (!isDirectory(directory)) return;
  const path = `${directory}/${event.kind}.${event.claudePid}.json`;
  // Every tool call reports the same session.
  if (event.kind === "session" && isRepeated(event, readSessionEvent(path))) return;
  replaceFile(path, JSON.stringify(event));
}

const isRepeated = (event: SessionEvent, last: SessionEvent | undefined): boolean =>
  last?.sessionId === event.sessionId && last.permissionMode === event.permissionMode;

/** Oldest first. */
export function readSessionEvents(directory: string): SessionEvent[] {
  return listDirectory(directory)
    .filter((name) => /^(session|failure|end)\.\d+\.json$/.test(name))
    .flatMap((name) => readSessionEvent(`${directory}/${name}`) ?? [])
    .sort((a, b) => a.time - b.time);
}

const isSessionEvent = has({
  kind: (value) => value === "session" || value === "failure" || value === "end",
  claudePid: isAmount,
  sessionId: isText,
  transcriptPath: orNull(isText),
  cwd: orNull(isText),
  time: isTime,
  detail: orNull(isText),
  permissionMode: (value) => value === undefined || value === null || isText(value),
} satisfies Record<keyof SessionEvent, Check>);

function readSessionEvent(path: string): SessionEvent | undefined {
  return readOptionalRecord<SessionEvent>(path, isSessionEvent);
}
