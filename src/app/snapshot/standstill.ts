import { type Check, has, isAmount, isTime } from "../../core/check-record.ts";
import { makeDirectory, replaceFile } from "../../io/durable/durable.ts";
import type { Environment } from "../environment.ts";
import { readOptionalRecord } from "../../store/read-optional-record.ts";

/** Counts tool calls during which the transcript did not grow: Claude may have stopped saving it. */
export interface Standstill {
  size: number;
  toolCalls: number;
  since: number;
}

/** One or two such calls can be a slow disk; this many raise a warning. */
export const alarmingToolCalls = 3;

export function recordStandstill({ paths, now }: Environment, sessionId: string, size: number): void {
  const before = readStandstill(paths.canary(sessionId));
  // The warning is already due: a session without a transcript must not cause a write for every tool call.
  if (before?.size === size && before.toolCalls >= alarmingToolCalls) return;
  const standstill: Standstill =
    before?.size === size ? { ...before, toolCalls: before.toolCalls + 1 } : { size, toolCalls: 1, since: now() };
  makeDirectory(paths.canaries);
  replaceFile(paths.canary(sessionId), JSON.stringify(standstill));
}

const isStandstill = has({ size: isAmount, toolCalls: isAmount, since: isTime } satisfies Record<
  keyof Standstill,
  Check
>);

export function readStandstill(path: string): Standstill | undefined {
  return readOptionalRecord<Standstill>(path, isStandstill);
}
