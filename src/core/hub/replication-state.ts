import { has, isAmount, isText, isTime, orNull } from "../check-record.ts";

/** `hub-state.json`: what the replicator has done. It is only a note: the hub itself says what it has. */
export interface ReplicationState {
  readonly version: 1;
  readonly hub: string;
  /** Everything that changed before this moment of the local clock is in the hub; milliseconds since 1970. */
  readonly through: number;
  /** When the replicator last talked to the hub. */
  readonly reached: number;
  /** Why the last try failed. */
  readonly problem: string | null;
  /** Sessions that another machine has continued while they were continued here, too. */
  readonly diverged: Readonly<Record<string, Divergence>>;
  /** The newest state of each subject that this machine has written or fetched: an older one is a replay. Newest last. */
  readonly seen: Readonly<Record<string, number>>;
}

export interface Divergence {
  readonly since: number;
  /** The machine that continued it. */
  readonly holder: string;
}

export const newReplicationState = (hub: string): ReplicationState => ({
  version: 1,
  hub,
  through: 0,
  reached: 0,
  problem: null,
  diverged: {},
  seen: {},
});

const isRecordOf =
  (check: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    typeof value === "object" && value !== null && Object.values(value).every(check);

export const isReplicationState = (value: unknown): value is ReplicationState =>
  has({
    version: (version) => version === 1,
    hub: isText,
    through: isTime,
    reached: isTime,
    problem: orNull(isText),
    diverged: isRecordOf(has({ since: isTime, holder: isText })),
    seen: isRecordOf(isAmount),
  } satisfies Record<keyof ReplicationState, (value: unknown) => boolean>)(value);

const maxSeen = 1_000;

export function withSeen(seen: ReplicationState["seen"], id: string, seq: number): ReplicationState["seen"] {
  const { [id]: _, ...others } = seen;
  return Object.fromEntries([...Object.entries(others), [id, seq]].slice(-maxSeen));
}

/** Marks and records that changed this long before `through` are compared again after a start: clocks can go back. */
const overlapMs = 24 * 60 * 60 * 1000;

/** What changed since this moment is compared with the hub. 0: everything. */
export const compareSince = ({ through }: ReplicationState, now: number): number =>
  now < through ? 0 : Math.max(0, through - overlapMs);
