import { asText, type JsonObject, parseObject } from "../json-object.ts";
import type { PromptedModes, RecordedModes } from "../permission-mode.ts";

/**
 * The permission modes that a transcript records since `since` (milliseconds since 1970). Lines come newest first. Besides the prompts,
 * the client (2.1.326) notes the mode in lines without a time, also when the user changes it and sends no prompt. Only a note after
 * the last prompt says more than that prompt.
 */
export function readRecordedModes(lines: Iterable<string>, since: number): RecordedModes {
  let prompted: PromptedModes | undefined;
  let noted: string | undefined;
  for (const line of lines) {
    const fields = parse(line);
    if (!fields || fields["isSidechain"] === true) continue;
    const time = Date.parse(asText(fields["timestamp"]) ?? "");
    if (time < since) break;
    const mode = asText(fields["permissionMode"]);
    if (mode === undefined || mode === "") continue;
    if (fields["type"] === "user") {
      prompted = { first: mode, last: prompted?.last ?? mode, lastTime: prompted?.lastTime ?? (time || 0) };
    } else if (!prompted) {
      noted ??= mode;
    }
  }
  return { prompted, noted };
}

/** Parses only lines that can matter: a transcript can be large. */
function parse(line: string): JsonObject | undefined {
  return line.includes('"permissionMode"') ? parseObject(line) : undefined;
}
