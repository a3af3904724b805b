import type { Checkpoint } from "../../core/checkpoint/checkpoint.ts";
import { checkpointToJson } from "../../core/checkpoint/checkpoint-form.ts";
import { checkpointMarkdown } from "../../core/checkpoint/checkpoint-text.ts";
import type { MarkdownBlock } from "../snapshot/view.ts";

export const checkpointJson = (checkpoint: Checkpoint): object => checkpointToJson(checkpoint);

/** Returns separate pieces, so that a terminal can highlight the headings. */
export function checkpointPieces(checkpoint: Checkpoint): MarkdownBlock[] {
  return checkpointMarkdown(checkpoint)
    .trimEnd()
    .split("\n\n")
    .map((text) => ({ style: text.startsWith("#") ? "claude" : "text", text }));
}
