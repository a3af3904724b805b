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

function readRunEvent(path: string): RunEvent | undefined {
  try {
    const value = JSON.parse(readText(path) ?? "null") as RunEvent | null;
    return value && typeof value.sessionId === "string" && typeof value.time === "number" ? value : undefined;
  } catch {
    return undefined;
  }
}
