import { chooseMark, type MarkChoice, type PointChoice, type RestoreChoice } from "../../core/snapshot/choose-mark.ts";
import type { ScannedPoints } from "../../claude/transcript/safe-points.ts";
import { Failure } from "../../core/failure.ts";
import type { Mark } from "../../core/snapshot/mark.ts";
import { chooseRestorePoint, findTurnEnd, findWindow, type SafePoint } from "../../core/snapshot/restore-point.ts";
import { fileSize } from "../../io/files/read-file.ts";
import { recordedWindow } from "../../store/session-notes/context-windows.ts";
import { withPlainMirror } from "../../store/snapshots/mirror.ts";
import { allMarks, type Generation, type SessionView } from "../../store/snapshots/session-view.ts";
import type { Environment } from "../environment.ts";
import { findPoints } from "./find-points.ts";

/** Which bytes a restore puts back: the first `size` of one of our copies. */
export interface Cut {
  /** The transcript itself stands for a copy of it that a restore makes first. */
  readonly source: Generation | { readonly transcript: string };
  readonly size: number;
  readonly lines: number;
  readonly time: number | null;
  readonly tokens: number | null;
  /** Null when the choice was a mark. */
  readonly turn: number | null;
  readonly mark: Mark | null;
  /** The copy has more than this, so the restored conversation needs a proper end. */
  readonly isShorter: boolean;
}

/** `copied`: the newest generation has everything that the transcript has. */
export function chooseCut(
  environment: Environment,
  view: SessionView,
  choice: RestoreChoice,
  { copied }: { copied: boolean },
): Cut {
  if (choice.kind === "fit" || choice.kind === "turn") return choosePoint(environment, view, choice, copied);
  const mark = findMark(view, choice);
  const source = generationOf(view, mark);
  const { size, lines, time, contextTokens: tokens } = mark;
  const isCurrent = source === view.generations.at(-1);
  const known = Math.max(source.size, isCurrent ? (fileSize(view.transcriptPath) ?? 0) : 0);
  const whole = { source, size, lines, time, tokens, turn: null, mark, isShorter: size < known };
  // A mark may be in the middle of a tool call. As the end of a conversation that would be a call without a result.
  const complete = whole.isShorter ? lastCompletePoint(source, size) : undefined;
  return complete ? { ...whole, size: complete.size, lines: complete.lines } : whole;
}

export function findMark(view: SessionView, choice: MarkChoice): Mark {
  const mark = chooseMark(choice, { all: allMarks(view), current: view.generations.at(-1)?.marks ?? [] });
  if (mark) return mark;
  const why = {
    newest: "it has no mark yet",
    number: `it has no mark ${choice.kind === "number" ? choice.n : ""}`,
    before: "no mark is that old",
  }[choice.kind];
  throw notFound(view, why);
}

/** Undefined when the mark is not in the middle of a tool call, or no point is before it. */
function lastCompletePoint(generation: Generation, size: number): SafePoint | undefined {
  const scanned = withPlainMirror(generation, size, (path) => findPoints(path, size));
  return scanned?.endsInToolCall ? scanned.points.at(-1) : undefined;
}

function choosePoint(environment: Environment, view: SessionView, choice: PointChoice, copied: boolean): Cut {
  let reason = "it has no conversation";
  for (const source of sourcesOf(view, copied)) {
    const scanned = scanSource(source);
    if (!scanned || scanned.points.length === 0) continue;
    const window = findWindow({ ...scanned, recorded: recordedWindow(environment.paths, view.sessionId) });
    const point = choice.kind === "turn" ? findTurnEnd(scanned.points, choice.turn) : fit(scanned, window, choice);
    if (point) {
      const { kind: _, ...place } = point;
      const marks = "transcript" in source ? [] : source.marks;
      const mark = marks.findLast(({ size }) => size === point.size) ?? null;
      return { ...place, source, mark, isShorter: !isEnd(scanned, point) };
    }
    reason =
      choice.kind === "turn"
        ? `it has no turn ${choice.turn}; its last one is ${scanned.turns}`
        : `no point of it fits into the context window of ${window} tokens`;
    // Earlier generations of a conversation begin with the same points.
    break;
  }
  throw notFound(view, reason);
}

function fit(
  scanned: ScannedPoints,
  window: number,
  { overload, maxTokens }: PointChoice & { kind: "fit" },
): SafePoint | undefined {
  const end = scanned.endsSafely ? scanned.points.at(-1)?.size : undefined;
  const below = overload ? (end ?? Infinity) : Infinity;
  return chooseRestorePoint(scanned.points, { window, below, previous: overload?.previous, maxTokens });
}

const isEnd = ({ points, endsSafely }: ScannedPoints, point: SafePoint): boolean =>
  endsSafely && point === points.at(-1);

/** Newest first. An earlier generation counts when the newer one has no conversation, as after a stub replaced it. */
function sourcesOf({ generations, transcriptPath }: SessionView, copied: boolean): Cut["source"][] {
  const copies = generations.filter(({ marks }) => marks.length > 0).toReversed();
  return copied ? copies : [{ transcript: transcriptPath }, ...copies];
}

const scanSource = (source: Cut["source"]): ScannedPoints | undefined =>
  "transcript" in source
    ? findPoints(source.transcript)
    : withPlainMirror(source, source.size, (path) => findPoints(path, source.size));

function generationOf(view: SessionView, mark: Mark): Generation {
  const found = view.generations.find((generation) => generation.marks.some(({ n }) => n === mark.n));
  if (!found) throw new Failure("corrupt", `mark ${mark.n} belongs to no generation`);
  return found;
}

const notFound = ({ sessionId }: SessionView, why: string): Failure =>
  new Failure("not-found", `session ${sessionId}: ${why}`, { hint: `See session-snapshot list ${sessionId}.` });
