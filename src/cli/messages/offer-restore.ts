import { askLineWithin } from "../../app/host/open-elsewhere.ts";
import { describePoint } from "../../app/resume/plan-fit.ts";
import type { FittingPoint } from "../../core/host/host-line.ts";

const answerTimeoutMs = 30_000;

/** Enter accepts, and so does silence, because nothing is lost by it. Ctrl-C and a closed terminal decline. */
export async function askToRestore(point: FittingPoint): Promise<boolean> {
  const { stderr } = process;
  stderr.write("cclaude: The conversation no longer fits its context.\n");
  stderr.write(`cclaude: Go back to ${describePoint(point)}. Resume there? [Y/n] `);
  const answer = await askLineWithin(answerTimeoutMs);
  if (answer.kind !== "line") stderr.write("\n");
  return answer.kind === "line" ? /^(y|yes)?$/i.test(answer.text) : answer.kind === "silence";
}
