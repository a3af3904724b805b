import { decideExitStep, type Ending, type EndStep, type ExitScreen, type HangupPolicy } from "./hang-up.ts";
import type { HostedState } from "./hosted-state.ts";

/** What is known about a hosted Claude whose conversation may no longer fit. */
export interface OverflowSituation {
  readonly now: number;
  readonly state: HostedState;
  /** Milliseconds since the last output. */
  readonly quietMs: number;
  /** Terminals that show it. */
  readonly terminals: number;
  /** The policy that ends it because its last terminal was lost; null otherwise. */
  readonly hangup: HangupPolicy | null;
  /** An earlier point of the conversation fits. */
  readonly hasPoint: boolean;
  /** `asked`: the user wants the restore. `dismissed`: the user does not. `over`: the supervisor has the request. `failed`: Claude did not end. */
  readonly wish: "none" | "asked" | "dismissed" | "over" | "failed";
  /** The prompt, compared with `/exit`. */
  readonly screen: ExitScreen;
  /** What the host has done so far to end Claude for the restore. */
  readonly ending: Ending;
}

export type OverflowDecision =
  /** The host has nothing to do for a full conversation. */
  | { readonly kind: "none" }
  /** The user decides. */
  | { readonly kind: "offer" }
  /** Ask the supervisor for a restore, and take this step to end Claude. */
  | { readonly kind: "restore"; readonly step: EndStep }
  /** Decide again at this time. */
  | { readonly kind: "wait"; readonly until: number }
  /** Claude does not end. */
  | { readonly kind: "fail" };

/** Without a user, Claude may still go on by itself right after an error. */
const minQuietMs = 3_000;

/** Decides what the host does for a conversation that no longer fits. Without a terminal, it restores by itself. */
export function decideOverflow(situation: OverflowSituation): OverflowDecision {
  const { now, state, wish, ending, quietMs, terminals } = situation;
  if (state.kind !== "context-full" || !situation.hasPoint || wish === "over" || wish === "failed")
    return { kind: "none" };
  if (wish !== "asked") {
    if (terminals > 0) return { kind: wish === "none" ? "offer" : "none" };
    // The setting says that Claude ends with its terminal.
    if (situation.hangup === "end") return { kind: "none" };
    if (ending.startedAt === null && quietMs < minQuietMs) return { kind: "wait", until: now + minQuietMs - quietMs };
  }
  const decision = decideExitStep(situation);
  if (decision.kind === "wait") return { kind: "wait", until: decision.until ?? now };
  if (ending.last === "SIGTERM") return { kind: "fail" };
  return { kind: "restore", step: decision.step };
}
