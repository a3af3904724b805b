import { type Check, has, isAmount, isText, isTime, orNull } from "../core/check-record.ts";
import { replaceFile } from "../io/durable.ts";
import { isDirectory, listDirectory, readText } from "../io/read-file.ts";

/** What a hook saw of a claude that a cclaude waits for. No text of the conversation is in it. */
export interface RunEvent {
  kind: "session" | "failure" | "end";
  /** The claude that called the hook: one that it started itself has another. */
  claudePid: number;
  sessionId: string;
  transcriptPath: string | null;
  cwd: string | null;
  /** Milliseconds since 1970. */
  time: number;
  /** The error of a failure, the reason of an end. */
  detail: string | null;
}

/** The newest of each kind and claude; nobody is left to read it when the directory is gone. */
export function writeRunEvent(directory: string, event: RunEvent): void {
  if (!isDirectory(directory)) return;
  const path = `${directory}/${event.kind}.${event.claudePid}.json`;
  // Every tool call would write the same again.
  if (event.kind === "session" && readRunEvent(path)?.sessionId === event.sessionId) return;
  replaceFile(path, JSON.stringify(event));
}

/** Oldest first. */
export function readRunEvents(directory: string): RunEvent[] {
  return listDirectory(directory)
    .filter((name) => /^(session|failure|end)\.\d+\.json$/.test(name))
    .flatMap((name) => readRunEvent(`${directory}/${name}`) ?? [])
    .sort((a, b) => a.time - b.time);
}

const isRunEvent = has({
  kind: (value) => value === "session" || value === "failure" || value === "end",
  claudePid: isAmount,
  sessionId: isText,
  transcriptPath: orNull(isText),
  cwd: orNull(isText),
  time: isTime,
  detail: orNull(isText),
} satisfies Record<keyof RunEvent, Check>);

function readRunEvent(path: string): RunEvent | undefined {
  try {
    const value: unknown = JSON.parse(readText(path) ?? "null");
    return isRunEvent(value) ? (value as RunEvent) : undefined;
  } catch {
    return undefined;
  }
}
