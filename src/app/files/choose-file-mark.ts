import type { FileMark } from "../../core/files/file-mark.ts";
import { Failure } from "../../core/failure.ts";
import { type RestoreChoice, parseChoice } from "../../core/snapshot/choose-mark.ts";
import { viewSession } from "../../store/snapshots/session-view.ts";
import type { TreeRecord } from "../../store/trees/tree-record.ts";
import type { Environment } from "../environment.ts";
import { newestSnapshotHere } from "../session/choose-session.ts";
import { chooseCut } from "../snapshot/choose-cut.ts";

export type FilePoint = { kind: "file-mark"; n: number } | RestoreChoice;

/** Reads `f7` (a file mark), or a point of the conversation. */
export function filePoint(text: string, now: number): FilePoint {
  const number = /^f(\d{1,9})$/.exec(text)?.[1];
  if (number !== undefined) return { kind: "file-mark", n: Number(number) };
  const choice = parseChoice(text, now);
  if (choice) return choice;
  const known = "use a file mark (f7), the number of a mark, a turn (t12), an age (10m, 2h) or a clock time (14:05)";
  throw new Failure("usage", `"${text}" is not a point: ${known}`);
}

export interface PointContext {
  environment: Environment;
  record: TreeRecord;
  /** The session that numbers and turns refer to; default: the newest of the directory. */
  sessionId: string | undefined;
  directory: string;
}

/** The files as they were at a point: the mark that was taken then, or the newest before it. */
export function fileMarkAt(context: PointContext, point: FilePoint): FileMark {
  const { marks } = context.record;
  if (point.kind === "file-mark") {
    const found = marks.find(({ n }) => n === point.n);
    if (found) return found;
    throw new Failure("not-found", `there is no file mark f${point.n} of ${context.record.workspace}`, {
      hint: listHint,
    });
  }
  const { time, together } = momentOf(context, point);
  const found = together ?? marks.findLast((mark) => mark.time <= time);
  if (found) return found;
  throw new Failure("not-found", "no file mark is that old", { hint: listHint });
}

const listHint = "List them with: session-snapshot list";

function momentOf(context: PointContext, point: RestoreChoice): { time: number; together?: FileMark | undefined } {
  if (point.kind === "before") return { time: point.time };
  const { environment, directory, record } = context;
  const sessionId = context.sessionId ?? newestSnapshotHere(environment, directory);
  const view = sessionId === undefined ? undefined : viewSession(environment.paths, sessionId);
  if (!view) throw new Failure("not-found", `there is no snapshot of a session in ${directory}`, { hint: listHint });
  const { mark, time } = chooseCut(environment, view, point, { copied: false });
  const together = mark && record.marks.findLast((each) => each.sessionId === sessionId && each.mark === mark.n);
  return { time: mark?.time ?? time ?? 0, together: together ?? undefined };
}
