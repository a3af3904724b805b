export type DefectKind =
  | "torn-tail"
  | "nul-run"
  | "glued-records"
  | "invalid-json"
  | "invalid-utf8"
  | "lone-surrogate"
  | "missing-parent"
  | "several-roots"
  | "cycle"
  | "forked-branch"
  | "left-branch"
  | "duplicate-uuid"
  | "orphan-tool-use"
  | "orphan-tool-result"
  | "wrong-session"
  | "empty-file"
  | "stub-file"
  | "shrunk"
  | "lost-records"
  | "overwritten"
  | "stale-end";

/** A difference between a transcript and what Claude writes. */
export interface Defect {
  kind: DefectKind;
  /** Damage loses content now or later. A note needs no repair. */
  severity: "damage" | "note";
  /** Counted from 1; 0 for the whole file. */
  line: number;
  offset: number;
  /** What is wrong. */
  what: string;
  /** What Claude loses because of it. */
  loses: string;
  /** How `repair` fixes it; null when it cannot or need not. */
  repair: string | null;
}

export const isDamage = ({ severity }: Pick<Defect, "severity">): boolean => severity === "damage";

// Measured with the pinned clients (test/e2e/snapshot/repair.test.ts): up to 2.1.36 the conversation starts at the break. Newer clients
// bridge a missing parent, but not a parent of null.
export const losesBefore = (records: number): string =>
  `in Claude up to 2.1.36 everything before it (${count(records, "record")})`;

export const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;
