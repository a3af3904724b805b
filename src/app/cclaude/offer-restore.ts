import { type EndDecision, type OfferedRestore, settleOffer } from "../../core/restart/ending.ts";
import { isTerminal } from "../../io/terminal/terminal-modes.ts";
import type { Environment } from "../environment.ts";
import { planFit } from "../resume/plan-fit.ts";
import type { RestoreToFit } from "../resume/restore-to-fit.ts";
import type { FoundSession } from "../session/find-session.ts";
import type { Announcer } from "./announcer.ts";
import { guardWait } from "./guard-wait.ts";

/** Asks the user who left a full conversation whether it goes back to where it fits. Other decisions stay as they are. */
export async function offerRestore(
  environment: Environment,
  decision: EndDecision | OfferedRestore,
  {
    session,
    previous,
    announcer,
    settle,
  }: {
    readonly session: FoundSession | undefined;
    readonly previous: RestoreToFit | undefined;
    readonly announcer: Announcer;
    /** Called before a signal ends cclaude. */
    readonly settle: (signal: NodeJS.Signals) => Promise<void>;
  },
): Promise<EndDecision> {
  if (decision.action.kind !== "offer-restore") return { cause: decision.cause, action: decision.action };
  const offered = { cause: decision.cause, action: decision.action };
  const canAsk = isTerminal(0) && isTerminal(2);
  const point = canAsk && session ? planFit(environment, session.id, previous) : undefined;
  if (!point) return settleOffer(offered, false);
  const unguard = guardWait(settle);
  try {
    return settleOffer(offered, await announcer.offerRestore(point));
  } finally {
    unguard();
  }
}
