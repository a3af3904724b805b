import { askLineWithin } from "../../app/host/open-elsewhere.ts";
import { formatCount } from "../format.ts";

const answerTimeoutMs = 60_000;

/** Without an answer the run continues: its task was to be finished. Ctrl-C, or the end of the terminal, stops it. */
export async function askAboutCost(maxTokens: number): Promise<"continue" | "restore" | "stop"> {
  const { stderr } = process;
  const restore = `[r]estore to at most ${formatCount(maxTokens)} tokens`;
  stderr.write(`Continue? [Y]es, ${restore}, or [n]o (yes after ${answerTimeoutMs / 1_000} s) `);
  const answer = await askLineWithin(answerTimeoutMs);
  if (answer.kind !== "line") {
    stderr.write("\n");
    return answer.kind === "silence" ? "continue" : "stop";
  }
  if (/^r/i.test(answer.text)) return "restore";
  return /^n/i.test(answer.text) ? "stop" : "continue";
}
