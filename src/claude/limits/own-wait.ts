import { shows } from "../screen/screen-texts.ts";
import { asText, parseObject } from "../json-object.ts";

/** What a transcript says at its end about Claude's own wait for a limit. */
export interface TranscriptWait {
  /** Identifies the last message of the conversation; undefined when there is none. */
  readonly lastMessage: string | undefined;
  /** The user has canceled the wait since that message, and has not started it again. */
  readonly isCanceled: boolean;
}

/** Reads whole lines, given newest first, up to the last message. */
export function readOwnWait(lines: Iterable<string>): TranscriptWait {
  let isCanceled: boolean | undefined;
  for (const line of lines) {
    const fields = parseObject(line);
    if (!fields || fields["isSidechain"] === true) continue;
    if (fields["type"] === "user" || fields["type"] === "assistant") {
      const lastMessage = asText(fields["uuid"]) ?? asText(fields["timestamp"]);
      return { lastMessage, isCanceled: isCanceled ?? false };
    }
    const notice = fields["type"] === "system" ? (asText(fields["content"]) ?? "") : "";
    if (shows("ownWaitCanceled", notice)) isCanceled ??= true;
    else if (shows("ownWait", notice)) isCanceled ??= false;
  }
  return { lastMessage: undefined, isCanceled: isCanceled ?? false };
}
