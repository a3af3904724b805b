import { type Check, has, isAmount, isTime } from "../../core/check-record.ts";
import { replaceFile } from "../../io/durable/durable.ts";
import { isDirectory, listDirectory } from "../../io/files/read-file.ts";
import { readOptionalRecord } from "../read-optional-record.ts";

/** What a hook reports to the host about the turns of its claude. */
export interface TurnEvent {
  kind: "session-started" | "turn-ended";
  /** The claude that called the hook; its own session file is named after it. */
  claudePid: number;
  /** Milliseconds since 1970. */
  time: number;
}

/** Keeps the newest event of each claude. Without the directory no host is left to read it. */
export function writeTurnEvent(directory: string, event: TurnEvent): void {
  if (isDirectory(directory)) replaceFile(`${directory}/turn.${event.claudePid}.json`, JSON.stringify(event));
}

/** Oldest first. */
export function readTurnEvents(directory: string): TurnEvent[] {
  return listDirectory(directory)
    .filter((name) => /^turn\.\d+\.json$/.test(name))
    .flatMap((name) => readTurnEvent(`${directory}/${name}`) ?? [])
    .sort((a, b) => a.time - b.time);
}

const isTurnEvent = has({
  kind: (value) => value === "session-started" || value === "turn-ended",
  claudePid: isAmount,
  time: isTime,
} satisfies Record<keyof TurnEvent, Check>);

function readTurnEvent(path: string): TurnEvent | undefined {
  return readOptionalRecord<TurnEvent>(path, isTurnEvent);
}
