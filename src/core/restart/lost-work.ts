import type { DeadSubagent } from "./dead-subagent.ts";
import type { ToolStep } from "./tool-step.ts";

/** What a conversation lacks, and Claude must learn when it continues. */
export interface LostWork {
  /** Tool calls whose result it lacks. */
  readonly steps: readonly ToolStep[];
  /** Subagents that died. */
  readonly subagents: readonly DeadSubagent[];
}

export const nothingLost: LostWork = { steps: [], subagents: [] };

export const isNothing = ({ steps, subagents }: LostWork): boolean => steps.length === 0 && subagents.length === 0;
