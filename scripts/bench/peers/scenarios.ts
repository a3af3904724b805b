import { failure, type Reply } from "../../../test/support/anthropic/replies.ts";

/** What happens after the first step. A new scenario is one more row. */
export interface Scenario {
  readonly name: string;
  /** The API's replies to the requests after the first step, before the task continues. */
  readonly refusals: readonly Reply[];
  /** The API refuses these requests until the reset of a usage limit. */
  readonly isLimit?: true;
  /** What the benchmark does when the request after the first step arrives. */
  readonly fault?: "kill-claude" | "kill-all" | "close-terminal";
  /** Milliseconds from that request to the fault; 0 when absent. */
  readonly faultAfterMs?: number;
  /** What the seconds count from: the reset of the limit, the last refusal, or the fault. */
  readonly since: "reset" | "refusal" | "fault";
  readonly terminalOnly?: true;
}

const overloaded = failure.overloaded();

export const scenarios: readonly Scenario[] = [
  { name: "five-hour limit", refusals: [], isLimit: true, since: "reset" },
  { name: "529 storm", refusals: [overloaded, overloaded, overloaded, overloaded], since: "refusal" },
  { name: "kill -9 of claude after a step", refusals: [], fault: "kill-claude", since: "fault" },
  { name: "kill -9 of everything, then recover", refusals: [], fault: "kill-all", since: "fault" },
  // By then the hook after the step has run.
  { name: "the same, 0.3 s after the step", refusals: [], fault: "kill-all", faultAfterMs: 300, since: "fault" },
  {
    name: "terminal closed at a limit",
    refusals: [],
    isLimit: true,
    fault: "close-terminal",
    since: "reset",
    terminalOnly: true,
  },
];
