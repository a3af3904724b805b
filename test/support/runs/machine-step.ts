import { plainContext } from "../../../scripts/run-diagram.ts";
import { type RunAction, type RunContext, type RunState, transition } from "../../../src/core/restart/machine.ts";
import type { Phase } from "../../../src/core/run/run-record.ts";
import type { Signal } from "../../../src/core/restart/signal.ts";

export const now = 1_800_000_000_000;
const context: RunContext = { ...plainContext, now, firstDelay: 10_000, unknownLimit: 3_600_000 };

export const newState = (phase: Phase): RunState => ({ phase, until: null, cause: null, fruitless: 0, restores: 0 });

/** One transition of a run, with its actions as text. */
export const step = (
  state: RunState,
  signal: Signal,
  given: Partial<RunContext> = {},
): { state: RunState; actions: string } => {
  const next = transition(state, signal, { ...context, ...given });
  return { state: next.state, actions: next.actions.map(describeAction).join(", ") };
};

/** Names an action; a wait with its length. */
function describeAction(action: RunAction): string {
  switch (action.kind) {
    case "wait":
      return `wait ${(action.until - now) / 1_000} s`;
    case "prepare":
      return action.restore ? "restore" : "prepare";
    case "finish":
      return `exit ${action.exit}`;
    default:
      return action.kind;
  }
}
