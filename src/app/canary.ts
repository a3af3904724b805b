import { type Check, has, isAmount, isTime } from "../core/check-record.ts";
import { makeDirectory, replaceFile } from "../io/durable.ts";
import { readText } from "../io/read-file.ts";
import type { Environment } from "./environment.ts";

/** Tools ran this often while the transcript stood at this size: Claude may have stopped saving it. */
export interface Standstill {
  size: number;
  toolCalls: number;
  since: number;
}

/** Once or twice is a slow disk; this often it is an alarm. */
export const alarmingToolCalls = 3;

export function recordStandstill({ paths, now }: Environment, sessionId: string, size: number): void {
  const before = readStandstill(paths.canary(sessionId));
  // Alarming enough: a session that keeps no transcript must not pay for each of its tool calls.
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
  try {
    const value: unknown = JSON.parse(readText(path) ?? "null");
    return isStandstill(value) ? (value as Standstill) : undefined;
  } catch {
    return undefined;
  }
}
