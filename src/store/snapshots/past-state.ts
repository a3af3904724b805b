import { readText } from "../../io/files/read-file.ts";
import type { SnapshotPaths } from "./snapshot-paths.ts";
import { type GenerationEnd, isPast, parseState, type SnapshotState } from "./snapshot-state.ts";

export type EndedState = SnapshotState & { endedAt: number; why: GenerationEnd };

export function readPastState(paths: SnapshotPaths, sessionId: string, generation: number): EndedState | undefined {
  const state = parseState(readText(paths.pastState(sessionId, generation)) ?? "", sessionId);
  return isPast(state) && state.generation === generation ? (state as EndedState) : undefined;
}
