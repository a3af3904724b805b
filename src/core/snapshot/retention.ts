import type { Settings } from "../settings.ts";

/** What one generation of a session holds on disk. */
export interface HeldGeneration {
  number: number;
  /** Size on disk, plain or packed. */
  bytes: number;
  /** Without a mark, so nothing can be restored from it. */
  empty: boolean;
  /** Milliseconds since 1970. */
  lastUse: number;
  packed: boolean;
}

export interface HeldSession {
  sessionId: string;
  /** Oldest first; the last one is the current one. */
  generations: HeldGeneration[];
  /** Side files, backups and records; only removing the whole session frees them. */
  otherBytes: number;
  lastUse: number;
  isHeld: boolean;
  /** If not, the snapshot is the only copy. */
  transcriptExists: boolean;
  /** `latest.json` names its plain file. */
  isLatest: boolean;
}

export type RetentionSettings = Pick<Settings, "maxDisk" | "coldAfterDays">;

export interface PackAction {
  sessionId: string;
  generation: number;
}

export interface DropAction {
  sessionId: string;
  /** Null means the whole session. */
  generation: number | null;
  bytes: number;
  /** Claude has deleted the transcript, so removing the snapshot loses the session. */
  onlyCopy: boolean;
}

const dayMs = 86_400_000;

/** In use, or used within a day. Such a session is neither packed nor dropped. */
export function isLive(session: Pick<HeldSession, "lastUse" | "isHeld">, now: number): boolean {
  return session.isHeld || now - session.lastUse < dayMs;
}

export const bytesOf = (session: HeldSession): number =>
  session.generations.reduce((sum, { bytes }) => sum + bytes, session.otherBytes);

/** Due once a day. A last run in the future means that the clock was set back, so it is due as well. */
export const isMaintenanceDue = (lastRun: number, now: number): boolean => lastRun > now || now - lastRun >= dayMs;

/** Packs cold, plain generations. A past generation of a live session is packed too, because nothing is appended to it. */
export function planPacking(sessions: readonly HeldSession[], settings: RetentionSettings, now: number): PackAction[] {
  return sessions.flatMap((session) => {
    const present = session.generations.at(-1);
    const staysPlain = session.isLatest || isLive(session, now);
    return session.generations
      .filter(({ packed, empty, lastUse }) => !packed && !empty && isCold(lastUse, settings, now))
      .filter((generation) => generation !== present || !staysPlain)
      .map(({ number }) => ({ sessionId: session.sessionId, generation: number }));
  });
}

/** Drops nothing while `used` is within maxDisk. Otherwise drops the oldest first and only copies last. */
export function planDrops(
  sessions: readonly HeldSession[],
  used: number,
  settings: RetentionSettings,
  now: number,
): DropAction[] {
  let left = used;
  let drops: DropAction[] = [];
  for (const { action } of candidates(sessions, settings, now)) {
    if (left <= settings.maxDisk) break;
    // Dropping a whole session covers earlier drops of its generations.
    const covered = drops.filter(({ sessionId }) => action.generation === null && sessionId === action.sessionId);
    left -= action.bytes - covered.reduce((sum, { bytes }) => sum + bytes, 0);
    drops = [...drops.filter((drop) => !covered.includes(drop)), action];
  }
  return drops;
}

type Candidate = { action: DropAction; rank: number; lastUse: number };

const ranks = { coldGeneration: 0, coldSession: 1, generation: 2, session: 3, onlyCopy: 4 } as const;

function candidates(sessions: readonly HeldSession[], settings: RetentionSettings, now: number): Candidate[] {
  const found = sessions.flatMap((session): Candidate[] => {
    const { sessionId, lastUse, transcriptExists } = session;
    const pasts = droppableGenerations(session, now).map(({ number, bytes, lastUse: used }) => {
      const rank = isCold(used, settings, now) ? ranks.coldGeneration : ranks.generation;
      return { action: { sessionId, generation: number, bytes, onlyCopy: false }, rank, lastUse: used };
    });
    if (isLive(session, now)) return pasts;
    const cold = isCold(lastUse, settings, now);
    const rank = transcriptExists ? (cold ? ranks.coldSession : ranks.session) : ranks.onlyCopy;
    const whole = { sessionId, generation: null, bytes: bytesOf(session), onlyCopy: !transcriptExists };
    return [...pasts, { action: whole, rank, lastUse }];
  });
  return found.sort((a, b) => a.rank - b.rank || a.lastUse - b.lastUse);
}

/** Past generations, except the newest with content: after an undo to an empty transcript that one is a past generation. */
function droppableGenerations({ generations }: HeldSession, now: number): HeldGeneration[] {
  const newest = generations.findLast(({ empty }) => !empty);
  return generations
    .slice(0, -1)
    .filter((generation) => generation !== newest && generation.bytes > 0 && now - generation.lastUse >= dayMs);
}

const isCold = (lastUse: number, { coldAfterDays }: RetentionSettings, now: number): boolean =>
  now - lastUse >= coldAfterDays * dayMs;
