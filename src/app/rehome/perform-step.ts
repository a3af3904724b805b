import { Failure } from "../../core/failure.ts";
import { type Relocation, reversed } from "../../core/rehome/moved-path.ts";
import type { RehomeStep } from "../../core/rehome/rehome-record.ts";
import { type RecordKind, relocateRecord } from "../../core/rehome/relocate-record.ts";
import { makeDirectory, moveFile, replaceFile } from "../../io/durable/durable.ts";
import { leaveLink, removeLink } from "../../io/durable/leave-link.ts";
import { removeEmptyDirectories } from "../../io/durable/remove-directory.ts";
import { fileMode, identityAt, parentOf, readText, resolveLinks } from "../../io/files/read-file.ts";

/** Performs a step, or nothing when an interrupted attempt already has. */
export function performStep(step: RehomeStep, moves: readonly Relocation[]): void {
  switch (step.kind) {
    case "directory":
      return makeDirectory(step.path, { shared: true });
    case "move":
      return moveOnce(step.from, step.to);
    case "link":
      return leaveLink(step.path, step.to);
    case "edit":
      return rewrite(step.path, (text) =>
        text === step.before ? relocated(step.record, text, moves) : unlessDone(step, text, moves),
      );
  }
}

/** Reverses a step. A record that has changed since keeps what is new in it; only its paths change back. */
export function reverseStep(step: RehomeStep, moves: readonly Relocation[]): void {
  switch (step.kind) {
    case "directory":
      return removeEmptyDirectories(step.path);
    case "move":
      return moveOnce(step.to, step.from);
    case "link":
      return removeLink(step.path, step.to);
    case "edit":
      return rewrite(step.path, (text) => {
        if (text === step.before) return text;
        const isUnchanged = text === relocated(step.record, step.before, moves);
        return isUnchanged ? step.before : relocated(step.record, text, moves.map(reversed));
      });
  }
}

/** Whether the effect of a step is on disk. A file that the user has removed meanwhile is at neither place. */
export function isPerformed(step: RehomeStep, moves: readonly Relocation[]): boolean {
  if (step.kind === "move") return identityAt(step.from) !== step.file;
  if (step.kind !== "edit") return true;
  const text = readText(step.path);
  return text === undefined || unlessDone(step, text, moves) === text;
}

export const isReversed = (step: RehomeStep, moves: readonly Relocation[]): boolean =>
  step.kind === "move"
    ? identityAt(step.to) === undefined
    : step.kind !== "edit" || readText(step.path) !== relocated(step.record, step.before, moves);

type Edit = Extract<RehomeStep, { kind: "edit" }>;

/** Our text after the step stays: with nested directories a second relocation could change it again. */
const unlessDone = ({ record, before }: Edit, text: string, moves: readonly Relocation[]): string =>
  text === relocated(record, before, moves) ? text : relocated(record, text, moves);

const relocated = (kind: RecordKind, text: string, moves: readonly Relocation[]): string =>
  relocateRecord(kind, text, moves) ?? text;

function moveOnce(from: string, to: string): void {
  const [present, target] = [identityAt(from), identityAt(to)];
  if (present !== undefined && target !== undefined) {
    // The link that an interrupted attempt left at the old place.
    if (identityAt(resolveLinks(from)) === target) return;
    throw new Failure("failed", `${to} exists, so ${from} was not moved there`);
  }
  // Neither exists when the user removed it meanwhile.
  if (present === undefined) return;
  makeDirectory(parentOf(to), { shared: true });
  moveFile(from, to);
}

/** Nothing is written when the text stays, or when the record is gone. */
function rewrite(path: string, change: (text: string) => string): void {
  const text = readText(path);
  const next = text === undefined ? undefined : change(text);
  if (next !== undefined && next !== text) replaceFile(path, next, { mode: fileMode(path) ?? 0o600 });
}
