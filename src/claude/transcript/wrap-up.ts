import { asObject, asText, type JsonObject } from "../json-object.ts";

/** A note is close to the end, because Claude stops soon after it. Older entries are not read. */
const maxEntries = 500;

/**
 * Near a usage limit, clients since 2.1.275 tell Claude to finish its step and stop. The turn then ends without an error, and only
 * the note in the transcript shows that the task is not done. Takes the entries of a conversation, newest first.
 */
export class WrapUpSearch {
  #left = maxEntries;
  #isOver = false;
  #found = false;

  /** The last turn has such a note. */
  get found(): boolean {
    return this.#found;
  }

  /** Whether older entries can change the result. */
  get isOver(): boolean {
    return this.#isOver;
  }

  take(entry: JsonObject): void {
    this.#left -= 1;
    if (this.#isOver) return;
    const note = asText(entry["usageLimitNote"]);
    // "release" tells Claude that the limit is over.
    if (note !== undefined) this.#found = note === "near_limit" || note === "wrap_up";
    this.#isOver = note !== undefined || this.#left <= 0 || isPrompt(entry);
  }
}

/** A prompt begins a turn. Tool results, the client's own notes and notices of background tasks do not. */
export function isPrompt(entry: JsonObject): boolean {
  if (entry["type"] !== "user" || entry["isMeta"] === true) return false;
  if (asObject(entry["origin"])?.["kind"] === "task-notification") return false;
  const content = asObject(entry["message"])?.["content"];
  if (typeof content === "string") return !/^<(command-name|local-command-|bash-|task-notification)/.test(content);
  return !Array.isArray(content) || content.every((block) => asObject(block)?.["type"] !== "tool_result");
}
