import { askLineWithin } from "../../app/host/open-elsewhere.ts";
import { describePoint } from "../../app/resume/plan-fit.ts";
import type { FittingPoint } from "../../core/host/host-line.ts";

const answerTimeoutMs = 30_000;

/** Enter accepts. The user has left Claude, so without an answer it stays ended. */
export async function askToRestore(point: FittingPoint): Promise<boolean> {
  const { stderr } = process;
  stderr.write(
    `cclaude: The conversation no longer fits its context. Go back to ${describePoint(point)} and resume? [Y/n] `,
  );
  const answer = await askLineWithin(answerTimeoutMs);
  if (answer === undefined) stderr.write("\n");
  return answer !== undefined && /^(y|yes)?$/i.test(answer);
}
