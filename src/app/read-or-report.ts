import { readText } from "../io/files/read-file.ts";
import { messageOf } from "../core/message-of.ts";
import { type Denial, explainDenied } from "./explain-denied.ts";

export interface ReadText {
  /** Undefined when the file does not exist or cannot be read. */
  text: string | undefined;
  /** Why it cannot be read. */
  problem: string | undefined;
  /** The same when permissions are the reason, with the command that corrects them. */
  denial?: Denial | undefined;
}

/** Reads an optional file: an unreadable file is reported, and the command continues without it. */
export function readOrReport(path: string): ReadText {
  try {
    return { text: readText(path), problem: undefined };
  } catch (error) {
    return { text: undefined, problem: messageOf(error), denial: explainDenied(error) };
  }
}
