import { asText, type JsonObject, parseObject } from "../json-object.ts";

/**
 * Whether a program began the conversation (`claude -p`, an SDK). In a terminal, `--continue` of clients since 2.1.197 passes over
 * such a conversation, even when a user continued it later. 2.1.36 records no entry point and passes over none. `head` is the
 * beginning of the transcript.
 */
export const isBegunByProgram = (head: string): boolean =>
  [...recordsIn(head)]
    .flatMap((record) => asText(record["entrypoint"]) ?? [])
    .at(0)
    ?.startsWith("sdk") ?? false;

/**
 * The name that the user gave to the session; undefined without one. `--resume` accepts it and ignores the case. `text` is any part of
 * the transcript.
 */
export const customTitle = (text: string): string | undefined =>
  [...recordsIn(text)]
    .filter(({ type }) => type === "custom-title")
    .flatMap((record) => asText(record["customTitle"]) ?? [])
    .at(-1);

/** The complete records in a part of a transcript. */
function* recordsIn(text: string): Generator<JsonObject> {
  for (const line of text.split("\n")) {
    if (!/"entrypoint"|"custom-title"/.test(line)) continue;
    // The first or last line of the part may be incomplete.
    const record = parseObject(line);
    if (record) yield record;
  }
}
