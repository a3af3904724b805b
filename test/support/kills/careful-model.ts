// A model that works through numbered steps and trusts only its conversation: a step is done when a tool result shows it, or when
// our message says that its call completed.
import type { RecordedRequest } from "../anthropic/recorded-request.ts";
import { callsTool, type Reply, says } from "../anthropic/replies.ts";
import type { TranscriptBlock } from "../transcripts/transcript-records.ts";

export const stepCount = 20;
export const allSteps = Array.from({ length: stepCount }, (_, index) => index + 1);

const two = (step: number): string => String(step).padStart(2, "0");
const commandOf = (step: number): string => `echo step-${two(step)} >> steps.txt; echo done-${two(step)}`;
const completedCall = /^- completed at [^`\n]*Bash `echo step-(\d\d) /gm;

export class CarefulModel {
  /** The highest step that the model has called so far. */
  called = 0;
  isFinished = false;

  readonly reply: Reply = (request) => {
    const done = stepsDone(request);
    const next = allSteps.find((step) => !done.has(step));
    if (next === undefined) {
      this.isFinished = true;
      return says("All done.");
    }
    this.called = Math.max(this.called, next);
    return callsTool("Bash", { command: commandOf(next), description: `Step ${next}` });
  };
}

function stepsDone(request: RecordedRequest): Set<number> {
  const blocks = (request.body.messages ?? []).flatMap(({ content }) => (typeof content === "string" ? [] : content));
  const results = blocks.filter(({ type }) => type === "tool_result").map(textOf);
  const shown = results.flatMap((text) => [...text.matchAll(/^done-(\d\d)/gm)]);
  const told = [...request.conversationText.matchAll(completedCall)];
  return new Set([...shown, ...told].map(([, step]) => Number(step)));
}

function textOf({ content }: TranscriptBlock): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((block: TranscriptBlock) => block.text ?? "").join("\n") : "";
}
