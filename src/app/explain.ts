import { type LastDecision, readLastDecision } from "../store/last-decision.ts";
import { type PendingFlags, readAbandonedFlags } from "../store/pending-flags.ts";
import { currentEnvironment } from "./environment.ts";

export interface Explanation {
  last: LastDecision | undefined;
  /** Of each cclaude that died with its claude: where, and with which flags, it would go on. */
  abandoned: PendingFlags[];
}

export function readExplanation(variables: Record<string, string | undefined>): Explanation {
  const { paths } = currentEnvironment(variables);
  return { last: readLastDecision(paths), abandoned: readAbandonedFlags(paths) };
}
