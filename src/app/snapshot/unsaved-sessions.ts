import { fileSize, listDirectory } from "../../io/files/read-file.ts";
import { alarmingToolCalls, readStandstill } from "./standstill.ts";
import type { Environment } from "../environment.ts";
import { findTranscript } from "../session/find-transcript.ts";

export function standstillWarning({ paths }: Environment, sessionId: string, transcriptSize: number): string[] {
  const standstill = readStandstill(paths.canary(sessionId));
  if (!standstill || standstill.size !== transcriptSize || standstill.toolCalls < alarmingToolCalls) return [];
  return [`tools ran ${standstill.toolCalls} times but the transcript does not grow: Claude may not be saving it`];
}

/** Warnings for sessions that have no snapshot at all, and so do not appear among the known sessions. */
export function unsavedSessions(environment: Environment, known: readonly string[]): string[] {
  return listDirectory(environment.paths.canaries)
    .flatMap((name) => (name.endsWith(".json") && !name.startsWith(".") ? [name.slice(0, -".json".length)] : []))
    .filter((sessionId) => !known.includes(sessionId))
    .flatMap((sessionId) => {
      const size = fileSize(findTranscript(environment, sessionId) ?? "") ?? 0;
      return standstillWarning(environment, sessionId, size).map((warning) => `session ${sessionId}: ${warning}`);
    });
}
