import type { Digest } from "../../core/restart/context-message.ts";
import { readLine } from "./conversation-entry.ts";
import { digestLines } from "./digest.ts";

/**
 * The edits and commands that finished after a moment, or have no result. `lines`: newest first. A call may have begun before the
 * moment, so the search goes on until every result has its call.
 */
export function digestCallsSince(lines: Iterable<string>, time: number): Pick<Digest, "files" | "commands"> {
  const kept: string[] = [];
  const answered = new Set<string>();
  const late = new Set<string>();
  let isEarlier = false;
  for (const line of lines) {
    if (isEarlier && late.size === 0) break;
    const reading = readLine(line);
    if (reading.kind !== "entry") continue;
    const { entry } = reading;
    isEarlier ||= entry.time !== undefined && entry.time < time;
    let isKept = false;
    for (const part of entry.parts) {
      if (part.kind === "result") {
        answered.add(part.id);
        if (!isEarlier) late.add(part.id);
        isKept ||= !isEarlier;
      } else if (part.kind === "call") isKept ||= late.delete(part.id) || !answered.has(part.id);
    }
    if (isKept) kept.unshift(line);
  }
  const { files, commands } = digestLines(kept);
  return { files, commands };
}
