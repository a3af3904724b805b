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
  // One that was continued and died again is news.
  const toldAt = (each: DeadSubagent): number | null =>
    before.find(({ id, time }) => id === each.id && time === each.time)?.toldAt ?? null;
  const told = found.filter((each) => needsTelling(each, { ...seen, toldAt: toldAt(each) }, now)).slice(-maxTold);
  const notes = found.map((each): SubagentNote => ({ ...each, toldAt: told.includes(each) ? now : toldAt(each) }));
  const gone = before.filter(({ id }) => !found.some((each) => each.id === id));
  writeSubagentNotes(environment.paths, sessionId, [...gone, ...notes]);
  return told;
}
