import { type Check, has, isAmount, isText, isTime } from "../check-record.ts";
import { type RecordKind, recordKinds } from "./relocate-record.ts";
import type { Relocation } from "./moved-path.ts";

/** What a step belongs to: it is performed under that lock. */
export type StepOwner =
  | { readonly kind: "session" | "run" | "host"; readonly id: string }
  | { readonly kind: "tree"; readonly workspace: string }
  | { readonly kind: "checkpoint" | "service" | "none" };

/** One change on disk, which can be repeated and reversed. */
export type RehomeStep = { readonly owner: StepOwner } & (
  | { readonly kind: "directory"; readonly path: string }
  /** `file`: device and inode, which the new name must have. */
  | { readonly kind: "move"; readonly from: string; readonly to: string; readonly file: string }
  /** A link at the old place of a directory, because transcripts name files in it by their absolute path. */
  | { readonly kind: "link"; readonly path: string; readonly to: string }
  /** Replaces the paths in one of our records. `before` is its whole text, for an undo. */
  | { readonly kind: "edit"; readonly path: string; readonly record: RecordKind; readonly before: string }
);

/** `undoing` and `started` are unfinished: the next rehome or undo completes them. */
export type RehomeState = "started" | "done" | "undoing" | "undone";

/** `rehomed/{number}.json`: written before the first step, so that each step can be completed or reversed. */
export interface RehomeRecord {
  readonly version: 1;
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly move: Relocation;
  readonly state: RehomeState;
  /** The moves by which paths in our records change; the first that fits a path counts. */
  readonly moves: readonly Relocation[];
  readonly steps: readonly RehomeStep[];
}

const isOneOf =
  (names: readonly string[]): Check =>
  (value) =>
    typeof value === "string" && names.includes(value);

const isRelocation = has({ from: isText, to: isText });

const stepShapes: Readonly<Record<RehomeStep["kind"], Check>> = {
  directory: has({ path: isText }),
  move: has({ from: isText, to: isText, file: isText }),
  link: has({ path: isText, to: isText }),
  edit: has({ path: isText, record: isOneOf(recordKinds), before: isText }),
};

const isOwner: Check = (value) =>
  has({ kind: isOneOf(["session", "run", "host"]), id: isText })(value) ||
  has({ kind: isOneOf(["tree"]), workspace: isText })(value) ||
  has({ kind: isOneOf(["checkpoint", "service", "none"]) })(value);

const isStep: Check = (value) => {
  if (!has({ kind: isOneOf(Object.keys(stepShapes)), owner: isOwner })(value)) return false;
  return stepShapes[(value as RehomeStep).kind](value);
};

const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const isRecord = has({
  version: (value) => value === 1,
  number: isAmount,
  time: isTime,
  move: isRelocation,
  state: isOneOf(["started", "done", "undoing", "undone"]),
  moves: isListOf(isRelocation),
  steps: isListOf(isStep),
} satisfies Record<keyof RehomeRecord, Check>);

/** Undefined when any part is invalid: half a record would undo half a move. */
export function parseRehomeRecord(text: string): RehomeRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as RehomeRecord) : undefined;
  } catch {
    return undefined;
  }
}
