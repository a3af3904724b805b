import { findWindow } from "../../core/snapshot/restore-point.ts";
import { recordedWindow } from "../../store/session-notes/context-windows.ts";
import { allMarks, type SessionView } from "../../store/snapshots/session-view.ts";
import type { Environment } from "../environment.ts";

/** The context window of a session in tokens, from its record and its marks. */
export function windowOfSession({ paths }: Environment, view: SessionView): number {
  const tokens = allMarks(view).map(({ contextTokens }) => contextTokens ?? 0);
  const recorded = recordedWindow(paths, view.sessionId);
  return findWindow({ refused: undefined, recorded, named: undefined, accepted: Math.max(0, ...tokens) });
}
