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

export function readStandstill(path: string): Standstill | undefined {
  try {
    const value = JSON.parse(readText(path) ?? "null") as Standstill | null;
    return value && Number.isInteger(value.toolCalls) ? value : undefined;
  } catch {
    return undefined;
  }
}
