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

/** Something in a transcript that is not as Claude writes it. */
export interface Defect {
  kind: DefectKind;
  /** Damage costs something, or will; a note is worth knowing, and no reason to repair. */
  severity: "damage" | "note";
  /** Counted from 1; 0 when it is about the whole file. */
  line: number;
  offset: number;
  /** What is there. */
  what: string;
  /** What Claude loses because of it. */
  loses: string;
  /** How `repair` brings it in order; null when it cannot, or need not. */
  repair: string | null;
}

export const isDamage = ({ severity }: Pick<Defect, "severity">): boolean => severity === "damage";

// What the pinned clients were seen to do (test/e2e/repair.test.ts): up to 2.1.36 the chain of parents ends where it breaks;
// newer ones bridge a gap, but not a link that says "nothing before me".
export const losesBefore = (records: number): string =>
  `in Claude up to 2.1.36 everything before it (${count(records, "record")})`;

export const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;
