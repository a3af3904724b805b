/** What one generation of a session holds on disk. */
export interface HeldGeneration {
  number: number;
  /** On disk, plain or packed. */
  bytes: number;
  /** No mark in it: there is nothing that could be restored. */
  empty: boolean;
  /** Milliseconds since 1970. */
  lastUse: number;
  packed: boolean;
}

export interface HeldSession {
  sessionId: string;
  /** Oldest first; the last one is the present one. */
  generations: HeldGeneration[];
  /** Side files, backups and records: they go with the whole session only. */
  otherBytes: number;
  lastUse: number;
  heldByClaude: boolean;
  /** Otherwise ours is the only copy. */
  transcriptExists: boolean;
  /** `latest.json` promises its plain file. */
  isLatest: boolean;
}

export interface RetentionSettings {
  maxDisk: number;
  coldAfterDays: number;
}

export interface PackAction {
  sessionId: string;
  generation: number;
}

export interface DropAction {
  sessionId: string;
  /** Null for the whole session. */
  generation: number | null;
  bytes: number;
  /** Claude has no transcript of it any more: with this it is gone for good. */
  onlyCopy: boolean;
}

const day = 86_400_000;

/** In use, or so lately that it may be again in a moment: never packed, never dropped. */
export function isLive(session: Pick<HeldSession, "lastUse" | "heldByClaude">, now: number): boolean {
  return session.heldByClaude || now - session.lastUse < day;
}

export const bytesOf = (session: HeldSession): number =>
  session.generations.reduce((sum, { bytes }) => sum + bytes, session.otherBytes);

/** At most once a day. A last run in the future means that the clock was set back: no reason to wait for it. */
export const isMaintenanceDue = (lastRun: number, now: number): boolean => lastRun > now || now - lastRun >= day;

/** Cold and still plain. A past generation may be packed while its session lives: nothing is appended to it. */
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

/** None while `used` is within the cap. Otherwise the oldest go first, and what can be had nowhere else goes last. */
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
    // A session that goes whole takes along what of it was to go before.
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

/** Past ones, but never the newest that holds anything: after an undo into nothing that is a past one. */
function droppableGenerations({ generations }: HeldSession, now: number): HeldGeneration[] {
  const newest = generations.findLast(({ empty }) => !empty);
  return generations
    .slice(0, -1)
    .filter((generation) => generation !== newest && generation.bytes > 0 && now - generation.lastUse >= day);
}

const isCold = (lastUse: number, { coldAfterDays }: RetentionSettings, now: number): boolean =>
  now - lastUse >= coldAfterDays * day;
