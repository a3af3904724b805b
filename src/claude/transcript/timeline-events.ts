import { parseObject } from "../json-object.ts";
import { classifyError, type Clock } from "../limits/api-error.ts";
import { readLine } from "./conversation-entry.ts";
import { decodeLine, type TranscriptLine } from "./transcript.ts";
import { errorFacts } from "./transcript-ending.ts";

/** Something that happened to a conversation. Times are milliseconds since 1970. */
export interface ConversationEvent {
  readonly kind: "compaction" | "limit" | "error";
  readonly time: number;
  readonly text: string;
}

/** No other line needs to be parsed. */
const needles = ["compact_boundary", "isApiErrorMessage"].map((word) => new TextEncoder().encode(word));

/** Finds compactions, limits and errors of the API. Lines come oldest first. */
export class ConversationEvents {
  readonly found: ConversationEvent[] = [];

  feed({ bytes, ended }: TranscriptLine): void {
    const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (!ended || !needles.some((needle) => line.includes(needle))) return;
    const text = decodeLine(bytes);
    const reading = readLine(text);
    if (reading.kind !== "entry" || reading.entry.time === undefined) return;
    const { time, parts } = reading.entry;
    for (const part of parts) {
      if (part.kind === "compaction") {
        const tokens = part.tokens === undefined ? "" : `, ${part.tokens} tokens before`;
        this.found.push({ kind: "compaction", time, text: `compacted (${part.trigger ?? "automatic"}${tokens})` });
      }
      if (part.kind === "error") {
        this.found.push({ kind: isLimit(text, time) ? "limit" : "error", time, text: part.text.trim().slice(0, 200) });
      }
    }
  }
}

function isLimit(line: string, time: number): boolean {
  const fields = parseObject(line);
  const clock: Clock = { now: time, latestReset: Infinity, latestSpendReset: Infinity, zone: "UTC" };
  return fields !== undefined && classifyError(errorFacts(fields), clock).kind === "limit";
}
