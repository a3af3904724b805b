import type { Arrival } from "./arrival.ts";
import type { DeadSubagent } from "./dead-subagent.ts";
import type { ToolStep } from "./tool-step.ts";

/** What a conversation lacks, and Claude must learn when it continues. */
export interface LostWork {
  /** Tool calls whose result it lacks. */
  readonly steps: readonly ToolStep[];
  /** Subagents that died. */
  readonly subagents: readonly DeadSubagent[];
  /** It came from another machine since Claude's last message. */
  readonly arrival?: Arrival | undefined;
}

export const nothingLost: LostWork = { steps: [], subagents: [] };

export const isNothing = ({ steps, subagents, arrival }: LostWork): boolean =>
  steps.length === 0 && subagents.length === 0 && arrival === undefined;
