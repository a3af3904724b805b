import { parseDuration } from "../core/duration.ts";
import { Failure } from "../core/failure.ts";
import { bytesOf } from "../core/retention.ts";
import { makeDirectory } from "../io/durable.ts";
import { fileSize } from "../io/read-file.ts";
import { listBackups } from "../store/backups.ts";
import { pointToNewest } from "../store/latest.ts";
import { lockWithin, tryLock } from "../store/lock.ts";
import { listSessionFiles, removeSession } from "../store/removal.ts";
import { chooseSession } from "./choose-session.ts";
import type { Environment } from "./environment.ts";
import { surveySession, surveySessions, type SurveyedSession } from "./survey.ts";

export interface CleanRequest {
  /** An id, or the beginning of one. */
  session?: string | undefined;
  /** As people write it: `30d`. */
  olderThan?: string | undefined;
  /** The only way to remove a live one, together with its name. */
  yes: boolean;
}

export interface CleanItem {
  sessionId: string;
  project: string;
  bytes: number;
  lastUse: number;
  /** A running claude holds it. */
  live: boolean;
  /** Claude has no transcript of it any more. */
  onlyCopy: boolean;
  /** What restores replaced; undo needs them. */
  backups: number;
}

export interface CleanPlan {
  items: CleanItem[];
  /** Live ones that would have matched. */
  spared: string[];
}

/** Exactly what a clean would remove, the oldest first. */
export function planClean(environment: Environment, request: CleanRequest): CleanPlan {
  const age = parseAge(request.olderThan);
  const before = environment.now() - age;
  const sessions =
    request.session === undefined
      ? surveySessions(environment)
      : [surveySession(environment, chooseSession(environment, request.session, ""))];
  const matching = sessions
    .filter(({ lastUse }) => age === 0 || lastUse <= before)
    .sort((a, b) => a.lastUse - b.lastUse)
    .map((session) => itemOf(environment, session));
  const mayGo = ({ live }: CleanItem): boolean => !live || (request.session !== undefined && request.yes);
  return {
    items: matching.filter(mayGo),
    spared: matching.filter((item) => !mayGo(item)).map(({ sessionId }) => sessionId),
  };
}

export interface Cleaned {
  removed: CleanItem[];
  /** Bytes of files that were there before and are not there now. */
  freed: number;
  /** Those that are still there, and why. */
  failed: { sessionId: string; why: string }[];
}

/** A hook holds a session for less; whoever holds it longer is at work with it. */
const patience = 2_000;

export async function cleanSessions(environment: Environment, plan: CleanPlan): Promise<Cleaned> {
  const { paths } = environment;
  const cleaned: Cleaned = { removed: [], freed: 0, failed: [] };
  makeDirectory(paths.locks);
  for (const item of plan.items) {
    const { sessionId } = item;
    const lock = await lockWithin(paths.lock(sessionId), patience);
    if (lock === "busy") {
      cleaned.failed.push({ sessionId, why: "another command is working on it" });
      continue;
    }
    try {
      cleaned.freed += removeWhole(environment, item);
      cleaned.removed.push(item);
      lock.discard();
    } catch (error) {
      cleaned.failed.push({ sessionId, why: error instanceof Error ? error.message : String(error) });
      lock.release();
    }
  }
  pointToNewest(paths);
  return cleaned;
}

/** The lock must be held. Returns how much was freed. */
function removeWhole(environment: Environment, { sessionId, live }: CleanItem): number {
  const { paths } = environment;
  // A person may have taken a while to say yes.
  if (!live && surveySession(environment, sessionId).heldByClaude) throw new Error("a running claude holds it again");
  const sizes = listSessionFiles(paths, sessionId).map((path) => ({ path, bytes: fileSize(path) ?? 0 }));
  removeSession(paths, sessionId);
  const left = sizes.filter(({ path }) => fileSize(path) !== undefined);
  if (left.length > 0) throw new Error(`${left[0]?.path} is still there`);
  const waiter = tryLock(paths.waiterLock(sessionId));
  if (waiter !== "busy") waiter.discard();
  return sizes.reduce((sum, { bytes }) => sum + bytes, 0);
}

function itemOf({ paths }: Environment, session: SurveyedSession): CleanItem {
  const { sessionId, project, lastUse, transcriptExists, heldByClaude } = session;
  return {
    sessionId,
    project,
    bytes: bytesOf(session),
    lastUse,
    live: heldByClaude,
    onlyCopy: !transcriptExists,
    backups: listBackups(paths, sessionId).length,
  };
}

function parseAge(text: string | undefined): number {
  if (text === undefined) return 0;
  const age = parseDuration(text);
  if (age !== undefined) return age;
  throw new Failure("usage", `"${text}" is no length of time: give a number and m, h, d or w, like 30d`);
}
