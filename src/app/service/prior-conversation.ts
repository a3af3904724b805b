import { lastSpoken } from "../../claude/transcript/last-spoken.ts";
import type { TranscriptEnding } from "../../claude/transcript/transcript-ending.ts";
import { Failure } from "../../core/failure.ts";
import type { PriorConversation } from "../../core/service/service-start.ts";
import { resolveLinks, withFile } from "../../io/files/read-file.ts";
import { linesBackwards } from "../../io/files/read-lines-backwards.ts";
import type { Environment } from "../environment.ts";
import { findHolder } from "../session/find-holder.ts";
import { type Conversation, listConversations } from "../session/list-conversations.ts";
import { readTranscriptEnding } from "../session/transcript-end.ts";
import { repairBeforeResume, type ResumeCondition } from "../repair/repair-before-resume.ts";

/** The conversation that a service can resume, repaired where that is safe. */
export async function priorConversation(environment: Environment, workspace: string): Promise<PriorConversation> {
  const all = listConversations(environment, workspace);
  let fallback: PriorConversation = { kind: "none" };
  for (const candidate of all) {
    const { sessionId, path } = candidate;
    if (findHolder(environment, sessionId, path) !== undefined) {
      if (fallback.kind === "none") fallback = { kind: "held", sessionId };
      continue;
    }
    // Read first: a repair changes the time of the file.
    const age = environment.now() - lastChange(candidate);
    const state = await repairCandidate(environment, candidate);
    const ending = readTranscriptEnding(environment, path);
    const found = { kind: "found", sessionId, age, isNewest: candidate === all[0] } as const;
    if (state !== "empty" && (state === "damaged" || ending?.spoken)) {
      return { ...found, state, interrupted: ending !== undefined && isInterrupted(ending) };
    }
    if (fallback.kind === "none") fallback = { ...found, state: "empty", interrupted: false };
  }
  return fallback;
}

/** A copy or a repair makes the file newer than its last entry, so the older of the two times counts. */
function lastChange({ path, modified }: Conversation): number {
  const spoken = withFile(path, ({ fd, size }) => lastSpoken(linesBackwards(fd, size)));
  return Math.min(modified, spoken ?? modified);
}

/** A transcript that turns out not to be repairable is damaged; the caller handles other failures. */
async function repairCandidate(environment: Environment, { sessionId, path }: Conversation): Promise<ResumeCondition> {
  try {
    return await repairBeforeResume(environment, { path: resolveLinks(path), sessionId, isOwn: true });
  } catch (error) {
    if (error instanceof Failure && error.kind === "corrupt") return "damaged";
    throw error;
  }
}

/** Claude was working, or a temporary error (limit, server) stopped it. */
const isInterrupted = ({ midTurn, finalError }: TranscriptEnding): boolean =>
  midTurn || finalError?.kind === "limit" || finalError?.kind === "server";
