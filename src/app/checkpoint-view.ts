import type { Checkpoint } from "../core/checkpoint.ts";
import { checkpointToJson } from "../core/checkpoint-form.ts";
import { checkpointMarkdown } from "../core/checkpoint-text.ts";
import type { Piece } from "./view.ts";

// What the commands show of a checkpoint; the rules for it are core's.

export const checkpointJson = (checkpoint: Checkpoint): object => checkpointToJson(checkpoint);

/** In pieces, so that a terminal can make the headings stand out. */
export function checkpointPieces(checkpoint: Checkpoint): Piece[] {
  return checkpointMarkdown(checkpoint)
    .trimEnd()
    .split("\n\n")
    .map((text) => ({ style: text.startsWith("#") ? "claude" : "text", text }));
}
