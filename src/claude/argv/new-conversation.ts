import { flagsOf, isSupervisable, type Segment } from "./flags.ts";

/** Whether claude starts a new conversation whose id the user did not choose. */
export const isNewConversation = (segments: readonly Segment[]): boolean =>
  isSupervisable(segments) && flagsOf(segments).every(({ flag }) => flag.restart !== "drop");

/** Every word that claude reads as a prompt. */
export const promptWords = (segments: readonly Segment[]): string[] =>
  segments.flatMap((segment) => {
    if (segment.kind === "prompt") return [...segment.words];
    return segment.kind === "operands" ? segment.words.slice(1) : [];
  });
