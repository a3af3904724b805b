import { asText, parseObject } from "../json-object.ts";

/** The time of the last message of the user or Claude, in milliseconds since 1970. Lines come newest first. */
export function lastSpoken(lines: Iterable<string>): number | undefined {
  for (const line of lines) {
    const time = Date.parse(timestampOf(line) ?? "");
    if (!Number.isNaN(time)) return time;
  }
  return undefined;
}

function timestampOf(line: string): string | undefined {
  const fields = parseObject(line);
  return fields?.["type"] === "user" || fields?.["type"] === "assistant" ? asText(fields["timestamp"]) : undefined;
}
