import { type DeadSubagent, needsTelling } from "../../core/restart/dead-subagent.ts";
import { readSubagentNotes, type SubagentNote, writeSubagentNotes } from "../../store/session-notes/subagent-notes.ts";
import type { Environment } from "../environment.ts";
import { findDeadSubagents } from "../session/dead-subagents.ts";
import { readTranscriptEnding } from "../session/transcript-end.ts";

/** Claude reads at most this many; `verify` names all. */
const maxTold = 8;

/**
 * Records the dead subagents of a session, and returns those that Claude must learn of in the message that the caller now makes. Claude
 * knows them once it has answered after that.
 */
export function takeDeadSubagents(
  environment: Environment,
  sessionId: string,
  { path, answeredAt }: { readonly path: string; readonly answeredAt: number | null },
): DeadSubagent[] {
  const found = findDeadSubagents(environment, sessionId, path, { isResuming: true });
  if (found.length === 0) return [];
  const now = environment.now();
  const before = readSubagentNotes(environment.paths, sessionId);
  const ending = readTranscriptEnding(environment, path);
  const seen = { answeredAt, promptedAt: ending?.promptedAt ?? null };
  const isUntold = (each: DeadSubagent): boolean => {
    // One that was continued and died again is news.
    const known = before.find(({ id, time }) => id === each.id && time === each.time);
    return needsTelling(each, { ...seen, toldAt: known?.toldAt ?? null }, now);
  };
  const told = found.filter(isUntold).slice(-maxTold);
  const notes = found.map((each): SubagentNote => {
    const known = before.find(({ id, time }) => id === each.id && time === each.time);
    return { ...each, toldAt: told.includes(each) ? now : (known?.toldAt ?? null) };
  });
  const gone = before.filter(({ id }) => !found.some((each) => each.id === id));
  writeSubagentNotes(environment.paths, sessionId, [...gone, ...notes]);
  return told;
}
