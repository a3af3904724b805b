/** What the hub says about the writer of a session. Its times are the database's own. */
export interface LeaseView {
  readonly holder: string;
  /** How long the holder keeps it without renewing; 0 or less: it is free. */
  readonly leftMs: number;
}

export const leaseSeconds = 30;
/** The holder renews well before the end, so that one lost renewal costs nothing. */
export const renewAfterMs = 10_000;

export type LeaseDecision =
  /** Write under the present fencing number. */
  | "mine"
  /** The last writer has let go: take it, under the next fencing number. */
  | "free"
  /** Another machine writes. */
  | "held";

export function decideLease(lease: LeaseView | undefined, machine: string): LeaseDecision {
  if (lease === undefined || lease.holder === machine) return "mine";
  return lease.leftMs > 0 ? "held" : "free";
}

/** What a machine may send of a session that it has new content of. */
export type WriteDecision = "write" | "take-and-write" | "diverged";

/**
 * `continuesHub`: everything that the hub has of the current conversation is in the local one. Otherwise another machine has
 * continued it, and the local part after the common beginning is a divergent tail.
 */
export function decideWrite(lease: LeaseDecision, continuesHub: boolean): WriteDecision {
  if (lease === "mine") return "write";
  return lease === "free" && continuesHub ? "take-and-write" : "diverged";
}

/** How the local conversation and the one in the hub differ. `common`: so many bytes are the same. */
export type Difference = "same" | "behind" | "ahead" | "diverged";

export function compareConversations(localSize: number, hubSize: number, common: number): Difference {
  if (common < Math.min(localSize, hubSize)) return "diverged";
  if (localSize === hubSize) return "same";
  return localSize < hubSize ? "behind" : "ahead";
}
