import { isAbsolutePath } from "../../core/absolute-path.ts";
import type { Variables } from "../../core/variables.ts";

/** All paths of session-snapshot. The names are stable; see docs/FORMAT.md. */
export class SnapshotPaths {
  /** May be a link of the user to another disk; nothing inside may be a link. */
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  get snapshots(): string {
    return `${this.root}/snapshots`;
  }
  get latest(): string {
    return `${this.snapshots}/latest.json`;
  }
  get generations(): string {
    return `${this.snapshots}/generations`;
  }
  get backups(): string {
    return `${this.root}/backups`;
  }
  /** Starts with a dot, which no session id does. */
  get settingsBackups(): string {
    return `${this.backups}/.settings`;
  }
  get settingsLock(): string {
    return `${this.locks}/.settings.lock`;
  }
  get pathCache(): string {
    return `${this.root}/path-cache.json`;
  }
  get config(): string {
    return `${this.root}/config.json`;
  }
  get installRecords(): string {
    return `${this.root}/install.json`;
  }
  get log(): string {
    return `${this.root}/logs/snapshot.log`;
  }
  get maintenance(): string {
    return `${this.root}/maintenance.json`;
  }
  /** Can be removed at any time: see store/index. */
  get searchIndex(): string {
    return `${this.root}/index.sqlite`;
  }
  get searchIndexLock(): string {
    return `${this.root}/index.lock`;
  }
  get backfill(): string {
    return `${this.root}/backfill.json`;
  }
  get backfillLock(): string {
    return `${this.root}/backfill.lock`;
  }
  get verified(): string {
    return `${this.root}/verified.json`;
  }
  get pendingFlags(): string {
    return `${this.root}/pending-flags.txt`;
  }
  get lastDecision(): string {
    return `${this.root}/last-decision.json`;
  }
  get runSettings(): string {
    return `${this.root}/run-settings`;
  }
  get claudeVersions(): string {
    return `${this.root}/claude-versions.json`;
  }
  /** Local times that the status line has shown; can be removed at any time. */
  get clockCache(): string {
    return `${this.root}/clock-cache.json`;
  }
  get contextWindows(): string {
    return `${this.root}/context-windows.json`;
  }
  get restoreNotesDirectory(): string {
    return `${this.root}/restored`;
  }
  restoreNotes(sessionId: string): string {
    return `${this.restoreNotesDirectory}/${sessionId}.json`;
  }
  get arrivalNotesDirectory(): string {
    return `${this.root}/arrived`;
  }
  arrivalNote(sessionId: string): string {
    return `${this.arrivalNotesDirectory}/${sessionId}.json`;
  }
  get subagentNotesDirectory(): string {
    return `${this.root}/subagents`;
  }
  subagentNotes(sessionId: string): string {
    return `${this.subagentNotesDirectory}/${sessionId}.json`;
  }
  get stepsDirectory(): string {
    return `${this.root}/steps`;
  }
  steps(sessionId: string): string {
    return `${this.stepsDirectory}/${sessionId}.jsonl`;
  }
  olderSteps(sessionId: string): string {
    return `${this.stepsDirectory}/${sessionId}.older.jsonl`;
  }
  stepsLock(sessionId: string): string {
    return `${this.locks}/${sessionId}.steps.lock`;
  }
  openingLock(sessionId: string): string {
    return `${this.locks}/${sessionId}.opening.lock`;
  }
  /** What `rehome` moved, and how to reverse it. */
  get rehomed(): string {
    return `${this.root}/rehomed`;
  }
  get rehomeLock(): string {
    return `${this.locks}/.rehome.lock`;
  }
  get hubConfig(): string {
    return `${this.root}/hub.json`;
  }
  get hubState(): string {
    return `${this.root}/hub-state.json`;
  }
  /** What is being fetched from the hub; nothing here counts. */
  hubIncoming(sessionId: string): string {
    return `${this.root}/hub-incoming/${sessionId}`;
  }
  get replicatorLock(): string {
    return `${this.locks}/.replicator.lock`;
  }
  get locks(): string {
    return `${this.root}/locks`;
  }
  mirror(sessionId: string): string {
    return `${this.snapshots}/${sessionId}.jsonl`;
  }
  state(sessionId: string): string {
    return `${this.snapshots}/${sessionId}.state.json`;
  }
  sideFiles(sessionId: string): string {
    return `${this.snapshots}/side-files/${sessionId}`;
  }
  pastMirror(sessionId: string, generation: number): string {
    return `${this.generations}/${sessionId}.${generation}.jsonl`;
  }
  pastState(sessionId: string, generation: number): string {
    return `${this.generations}/${sessionId}.${generation}.state.json`;
  }
  /** A state that was renamed to this belongs to a session that is being removed. */
  removing(sessionId: string): string {
    return `${this.snapshots}/${sessionId}.removing.json`;
  }
  pastRemoving(sessionId: string, generation: number): string {
    return `${this.generations}/${sessionId}.${generation}.removing.json`;
  }
  get canaries(): string {
    return `${this.root}/canary`;
  }
  canary(sessionId: string): string {
    return `${this.canaries}/${sessionId}.json`;
  }
  lock(sessionId: string): string {
    return `${this.locks}/${sessionId}.lock`;
  }
  /** One lock for all checkpoints: they are small, and the newest of all is one file. */
  get checkpointLock(): string {
    return `${this.locks}/checkpoints.lock`;
  }
  waiterLock(sessionId: string): string {
    return `${this.locks}/${sessionId}.waiter.lock`;
  }
}

/** The path of a compressed mirror. */
export const packedPath = (mirror: string): string => `${mirror}.zst`;

export function snapshotRoot(variables: Variables, home: string): string {
  return `${configHome(variables, home)}/session-snapshot`;
}

/** A relative value is ignored, as the specification says: it would put secrets into the current directory. */
export function configHome(variables: Variables, home: string): string {
  const given = variables["XDG_CONFIG_HOME"];
  return given !== undefined && isAbsolutePath(given) ? given : `${home}/.config`;
}
