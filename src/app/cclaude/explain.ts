import { type LastDecision, readLastDecision } from "../../store/cclaude/last-decision.ts";
import { type PendingFlags, readAbandonedFlags } from "../../store/cclaude/pending-flags.ts";
import { currentEnvironment } from "../environment.ts";
import type { Variables } from "../../core/variables.ts";

export interface Explanation {
  last: LastDecision | undefined;
  /** Of each cclaude that died: the directory and flags to resume with. */
  abandoned: PendingFlags[];
}

export function readExplanation(variables: Variables): Explanation {
  const { paths } = currentEnvironment(variables);
  return { last: readLastDecision(paths), abandoned: readAbandonedFlags(paths) };
}
