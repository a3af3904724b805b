import { readText } from "../io/read-file.ts";
import type { SnapshotPaths } from "./snapshot-paths.ts";
import { type GenerationEnd, parseState, type SnapshotState } from "./snapshot-state.ts";

export type EndedState = SnapshotState & { endedAt: number; why: GenerationEnd };

export function readPastState(paths: SnapshotPaths, sessionId: string, generation: number): EndedState | undefined {
  const text = readText(paths.pastState(sessionId, generation));
  return text === undefined ? undefined : (parseState(text, sessionId) as EndedState | undefined);
}
