import { askLineWithin } from "../../app/host/open-elsewhere.ts";
import { formatCount } from "../format.ts";

const answerTimeoutMs = 60_000;

/** Without an answer the run continues: its task was to be finished. */
export async function askAboutCost(maxTokens: number): Promise<"continue" | "restore" | "stop"> {
  const { stderr } = process;
  const restore = `[r]estore to at most ${formatCount(maxTokens)} tokens`;
  stderr.write(`Continue? [Y]es, ${restore}, or [n]o (yes after ${answerTimeoutMs / 1_000} s) `);
  const answer = await askLineWithin(answerTimeoutMs);
  if (answer === undefined) stderr.write("\n");
  if (/^r/i.test(answer ?? "")) return "restore";
  return /^n/i.test(answer ?? "") ? "stop" : "continue";
}
