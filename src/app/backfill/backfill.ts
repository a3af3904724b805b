import { makeDirectory } from "../../io/durable/durable.ts";
import { freeSpace } from "../../io/files/free-space.ts";
import { messageOf } from "../../core/message-of.ts";
import { tryLock } from "../../store/lock.ts";
import { pointToNewest } from "../../store/snapshots/latest.ts";
import { type BackfillRecord, writeBackfill } from "../../store/snapshots/backfill-record.ts";
import type { Environment } from "../environment.ts";
import { diskUse } from "../maintenance/disk-use.ts";
import { logProblem } from "../program-log.ts";
import { readSessionDirectory } from "../session/project-directory.ts";
import { loadSettings } from "../settings.ts";
import { takeSnapshot } from "../snapshot/take-snapshot.ts";
import { planBackfill, type UnsavedSession, unsavedPart } from "./plan-backfill.ts";

export interface BackfillOptions {
  /** Leaves half of the time to others: the backfill must not slow down the hooks. */
  readonly isGentle: boolean;
  readonly onProgress?: (record: BackfillRecord) => void;
}

const recordPauseMs = 1_000;
/** The backfill never takes the last space of a disk: it leaves this, or a part of a small disk. */
const maxReservedBytes = 500_000_000;
const reservedShare = 0.1;
const maxPauseMs = 500;

/**
 * Saves every conversation that has something unsaved, the newest first. A killed backfill continues where it was, because only
 * the snapshots tell what is saved. Undefined while another process does the same.
 */
export async function backfill(
  environment: Environment,
  options: BackfillOptions,
): Promise<BackfillRecord | undefined> {
  const { paths } = environment;
  makeDirectory(paths.root, { shared: true });
  makeDirectory(paths.locks);
  const lock = tryLock(paths.backfillLock);
  if (!lock) return undefined;
  try {
    const run = new Backfill(environment, options, planBackfill(environment));
    return await run.perform();
  } finally {
    lock.release();
  }
}

class Backfill {
  readonly #environment: Environment;
  readonly #options: BackfillOptions;
  readonly #sessions: readonly UnsavedSession[];
  readonly #record: BackfillRecord;
  #recordedAt = 0;
  #used: number;
  readonly #maxDisk: number;
  readonly #reserved: number;

  constructor(environment: Environment, options: BackfillOptions, sessions: readonly UnsavedSession[]) {
    this.#environment = environment;
    this.#options = options;
    this.#sessions = sessions;
    this.#used = diskUse(environment.paths.root);
    this.#maxDisk = loadSettings(environment).settings.maxDisk;
    this.#reserved = Math.min(maxReservedBytes, (freeSpace(environment.paths.root) ?? Infinity) * reservedShare);
    this.#record = {
      version: 1,
      startedAt: environment.now(),
      finishedAt: null,
      sessions: sessions.length,
      done: 0,
      bytes: sessions.reduce((sum, { bytes }) => sum + bytes, 0),
      doneBytes: 0,
      failed: 0,
      left: 0,
    };
  }

  async perform(): Promise<BackfillRecord> {
    const { paths, now } = this.#environment;
    this.#note(true);
    // A hook may hold a session for a moment: those are tried once more at the end.
    const busy: UnsavedSession[] = [];
    for (const [index, session] of this.#sessions.entries()) {
      if (!this.#hasRoom(session.bytes)) {
        this.#record.left = this.#sessions.length - index;
        break;
      }
      await this.#saveOrNote(session, busy);
    }
    for (const session of busy) await this.#saveOrNote(session, undefined);
    pointToNewest(paths);
    this.#record.finishedAt = now();
    this.#note(true);
    return this.#record;
  }

  #hasRoom(bytes: number): boolean {
    const free = freeSpace(this.#environment.paths.root) ?? Infinity;
    return this.#used + bytes <= this.#maxDisk && free - bytes >= this.#reserved;
  }

  async #saveOrNote(session: UnsavedSession, busy: UnsavedSession[] | undefined): Promise<void> {
    const started = performance.now();
    try {
      if (!this.#save(session)) {
        if (busy) return void busy.push(session);
        this.#record.failed++;
      }
    } catch (error) {
      this.#record.failed++;
      logProblem(this.#environment, `backfill of session ${session.sessionId}: ${messageOf(error)}`);
    }
    this.#record.done++;
    this.#record.doneBytes += session.bytes;
    this.#used += session.bytes;
    this.#note(false);
    if (this.#options.isGentle) await Bun.sleep(Math.min(maxPauseMs, performance.now() - started));
  }

  /** False while another process works on the session. */
  #save({ sessionId, transcriptPath }: UnsavedSession): boolean {
    const lock = tryLock(this.#environment.paths.lock(sessionId));
    if (!lock) return false;
    try {
      // A hook may have saved it meanwhile.
      const present = unsavedPart(this.#environment, sessionId, transcriptPath);
      if (!present) return true;
      // The mark is as old as the conversation: it must not become the newest session of its directory.
      const past: Environment = { ...this.#environment, now: () => Math.round(present.modified) };
      const cwd = readSessionDirectory(transcriptPath);
      takeSnapshot(past, { sessionId, transcriptPath, cwd, reason: "backfill", isPast: true });
      return true;
    } finally {
      lock.release();
    }
  }

  #note(isDue: boolean): void {
    const now = performance.now();
    this.#options.onProgress?.(this.#record);
    if (!isDue && now - this.#recordedAt < recordPauseMs) return;
    this.#recordedAt = now;
    writeBackfill(this.#environment.paths, this.#record);
  }
}
