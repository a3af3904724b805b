import { fileSize, listDirectory } from "../io/read-file.ts";
import { alarmingToolCalls, readStandstill } from "./canary.ts";
import type { Environment } from "./environment.ts";
import { findTranscript } from "./find-transcript.ts";

export function standstillWarning({ paths }: Environment, sessionId: string, transcriptSize: number): string[] {
  const standstill = readStandstill(paths.canary(sessionId));
  if (!standstill || standstill.size !== transcriptSize || standstill.toolCalls < alarmingToolCalls) return [];
  return [`tools ran ${standstill.toolCalls} times but the transcript does not grow: Claude may not be saving it`];
}

/** The canary sings loudest for sessions of which there is nothing at all: those that are not among the known ones. */
export function unsavedSessions(environment: Environment, known: readonly string[]): string[] {
  return listDirectory(environment.paths.canaries)
    .flatMap((name) => (name.endsWith(".json") && !name.startsWith(".") ? [name.slice(0, -".json".length)] : []))
    .filter((sessionId) => !known.includes(sessionId))
    .flatMap((sessionId) => {
      const size = fileSize(findTranscript(environment, sessionId) ?? "") ?? 0;
      return standstillWarning(environment, sessionId, size).map((warning) => `session ${sessionId}: ${warning}`);
    });
}
