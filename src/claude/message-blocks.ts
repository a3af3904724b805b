import { asObject, type JsonObject } from "./json-object.ts";

/** The content of a message as blocks: it is a list of blocks, or a text. */
export function blocksOf(content: unknown): JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.map((block) => asObject(block) ?? {}) : [];
}

/** The blocks of the message that a transcript record or a stream event holds. */
export const messageBlocks = (fields: JsonObject): JsonObject[] => blocksOf(asObject(fields["message"])?.["content"]);
