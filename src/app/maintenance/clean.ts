import { parseDuration } from "../../core/duration.ts";
import { Failure } from "../../core/failure.ts";
import { bytesOf } from "../../core/snapshot/retention.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import { fileSize, resolveLinks } from "../../io/files/read-file.ts";
import { listBackups } from "../../store/snapshots/backups.ts";
import { pointToNewest } from "../../store/snapshots/latest.ts";
import { lockWithin, tryLock } from "../../store/lock.ts";
import { listSessionFiles, removeSession } from "../../store/snapshots/removal.ts";
import { viewSession } from "../../store/snapshots/session-view.ts";
import { chooseSession, directoryTest } from "../session/choose-session.ts";
import { titleOfSession } from "../session/session-title.ts";
import { nameHolder } from "../session/session-guard.ts";
import type { Environment } from "../environment.ts";
import { cleanTrees, planTreeClean, type TreeItem } from "./clean-trees.ts";
import { surveySession, surveySessions, type SurveyedSession } from "./survey.ts";
import { messageOf } from "../../core/message-of.ts";

export interface CleanRequest {
  /** Session id or its prefix. */
  session?: string | undefined;
  /** Without it and without a session, only the sessions of this directory match. */
  all?: boolean | undefined;
  /** A duration such as `30d`. */
  olderThan?: string | undefined;
  /** A session that is in use is removed only when it is named and this is set. */
  yes: boolean;
}

export interface CleanItem {
  sessionId: string;
  title: string | null;
  project: string;
  bytes: number;
  lastUse: number;
  /** What has the session open; undefined when nothing does. */
  heldBy: string | undefined;
  /** Claude's own transcript no longer exists. */
  onlyCopy: boolean;
  /** Number of backups that undo needs. */
  backups: number;
}

export interface CleanPlan {
  items: CleanItem[];
  /** Sessions that match but are kept, because something has them open. */
  spared: CleanItem[];
  /** File marks of the same projects or session. */
  trees: TreeItem[];
}

/** Exactly what a clean removes, oldest first. */
export function planClean(environment: Environment, request: CleanRequest): CleanPlan {
  const age = parseAge(request.olderThan);
  const before = environment.now() - age;
  const matching = sessionsFor(environment, request)
    .filter(({ lastUse }) => age === 0 || lastUse <= before)
    .sort((a, b) => a.lastUse - b.lastUse)
    .map((session) => itemOf(environment, session));
  const mayGo = ({ heldBy }: CleanItem): boolean =>
    heldBy === undefined || (request.session !== undefined && request.yes);
  const items = matching.filter(mayGo);
  const spared = matching.filter((item) => !mayGo(item));
  return { items, spared, trees: treesFor(environment, request, before, spared) };
}

function treesFor(
  environment: Environment,
  { session, all }: CleanRequest,
  before: number,
  spared: readonly CleanItem[],
): TreeItem[] {
  const sessionId = session === undefined ? undefined : chooseSession(environment, session, "");
  const isHere = !all && sessionId === undefined;
  return planTreeClean(environment, {
    workspace: isHere ? resolveLinks(environment.cwd) : undefined,
    sessionId,
    before,
    spared: new Set(spared.map((item) => item.sessionId)),
  });
}

function sessionsFor(environment: Environment, { session, all }: CleanRequest): SurveyedSession[] {
  if (session !== undefined) return [surveySession(environment, chooseSession(environment, session, ""))];
  const sessions = surveySessions(environment);
  if (all) return sessions;
  const isHere = directoryTest(environment.cwd);
  return sessions.filter(({ sessionId }) => {
    const view = viewSession(environment.paths, sessionId);
    return view !== undefined && isHere(view);
  });
}

export interface Cleaned {
  removed: CleanItem[];
  /** Workspaces whose file marks were removed, wholly or in part. */
  trees: TreeItem[];
  /** Bytes of removed files. */
  freed: number;
  /** Sessions that could not be removed, with the reason. */
  failed: { sessionId: string; why: string }[];
}

/** A hook holds the lock for less than this; a longer hold means another command is working on the session. */
const lockTimeoutMs = 2_000;

export async function cleanSessions(environment: Environment, plan: CleanPlan): Promise<Cleaned> {
  const { paths } = environment;
  const cleaned: Cleaned = { removed: [], trees: [], freed: 0, failed: [] };
  makeDirectory(paths.locks);
  for (const item of plan.items) {
    const { sessionId } = item;
    const lock = await lockWithin(paths.lock(sessionId), lockTimeoutMs);
    if (!lock) {
      cleaned.failed.push({ sessionId, why: "another command is working on it" });
      continue;
    }
    try {
      cleaned.freed += removeWhole(environment, item);
      cleaned.removed.push(item);
      lock.discard();
    } catch (error) {
      cleaned.failed.push({ sessionId, why: messageOf(error) });
      lock.release();
    }
  }
  pointToNewest(paths);
  const { removed: trees, freed, failed } = await cleanTrees(environment, plan.trees);
  return { ...cleaned, trees, freed: cleaned.freed + freed, failed: [...cleaned.failed, ...failed] };
}

/** Returns the freed bytes. The caller must hold the lock. */
function removeWhole(environment: Environment, { sessionId, heldBy }: CleanItem): number {
  const { paths } = environment;
  // Checked again, because the user may have taken a while to confirm.
  const { holder } = surveySession(environment, sessionId);
  if (heldBy === undefined && holder) throw new Error(`${nameHolder(holder)} has opened it since`);
  const sizes = listSessionFiles(paths, sessionId).map((path) => ({ path, bytes: fileSize(path) ?? 0 }));
  removeSession(paths, sessionId);
  const left = sizes.filter(({ path }) => fileSize(path) !== undefined);
  if (left.length > 0) throw new Error(`${left[0]?.path} could not be removed`);
  const waiter = tryLock(paths.waiterLock(sessionId));
  waiter?.discard();
  return sizes.reduce((sum, { bytes }) => sum + bytes, 0);
}

function itemOf(environment: Environment, session: SurveyedSession): CleanItem {
  const { paths } = environment;
  const view = viewSession(paths, session.sessionId);
  const { sessionId, project, lastUse, transcriptExists, holder } = session;
  return {
    sessionId,
    title: titleOfSession(view?.transcriptPath, view) ?? null,
    project,
    bytes: bytesOf(session),
    lastUse,
    heldBy: holder && nameHolder(holder),
    onlyCopy: !transcriptExists,
    backups: listBackups(paths, sessionId).length,
  };
}

function parseAge(text: string | undefined): number {
  if (text === undefined) return 0;
  const age = parseDuration(text);
  if (age !== undefined) return age;
  throw new Failure("usage", `"${text}" is not a duration: use a number and m, h, d or w, for example 30d`);
}
