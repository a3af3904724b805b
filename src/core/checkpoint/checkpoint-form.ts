import {
  type Checkpoint,
  compose,
  emptyCheckpoint,
  emptySeen,
  bounds,
  type Seen,
  type Task,
  type Written,
} from "./checkpoint.ts";
import { shortenToLine } from "../shorten-to-line.ts";

/** The format on disk and of `--json`: ISO times, and the short field names `session`, `repo` and `pr`. */
export function checkpointToJson(checkpoint: Checkpoint): object {
  const { version, time, source, reason, sessionId, goal, done, next, blocker, finished } = checkpoint;
  const { repository, pullRequest, ...where } = checkpoint.where;
  const { written, seen, waiting } = checkpoint;
  return {
    version,
    time: isoTime(time),
    source,
    reason,
    session: sessionId,
    goal,
    done,
    next,
    blocker,
    where: { ...where, repo: repository, pr: pullRequest },
    finished,
    written: written && { ...written, at: isoTime(written.at) },
    seen: {
      ...seen,
      goalAt: isoTime(seen.goalAt),
      requestAt: isoTime(seen.requestAt),
      tasksAt: isoTime(seen.tasksAt),
    },
    waiting: waiting && { session: waiting.sessionId, goal: waiting.goal, at: isoTime(waiting.at) },
  };
}

export type ParsedCheckpoint =
  | { kind: "checkpoint"; checkpoint: Checkpoint }
  | { kind: "unreadable" }
  /** A later version of this program wrote it; changing it could lose data. */
  | { kind: "newer" };

/** Checks every field and shortens it to one line, because any program may have written the file. */
export function parseCheckpoint(text: string): ParsedCheckpoint {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "unreadable" };
  }
  const fields = asFields(value);
  if (!fields) return { kind: "unreadable" };
  if (typeof fields["version"] === "number" && fields["version"] > 1) return { kind: "newer" };
  // A file without a version was written by hand or before versions existed. Its words count as written.
  return { kind: "checkpoint", checkpoint: fields["version"] === 1 ? readCurrent(fields) : migrate(fields) };
}

function readCurrent(fields: Fields): Checkpoint {
  const where = asFields(fields["where"]) ?? {};
  const waiting = asFields(fields["waiting"]);
  const empty = emptyCheckpoint(text(where["directory"], bounds.path) ?? "", text(fields["session"], 128), 0);
  const waitingGoal = text(waiting?.["goal"]);
  return compose({
    ...empty,
    time: timeOf(fields["time"]),
    source: fields["source"] === "claude" || fields["source"] === "user" ? fields["source"] : "hook",
    reason: text(fields["reason"]) ?? "",
    finished: fields["finished"] === true,
    where: {
      ...empty.where,
      repository: text(where["repo"], bounds.path),
      branch: text(where["branch"], bounds.path),
      commit: text(where["commit"], 100),
      files: texts(where["files"], bounds.files, bounds.path),
      pullRequest: text(where["pr"], bounds.path),
      issue: text(where["issue"], bounds.path),
    },
    written: readWritten(asFields(fields["written"])),
    seen: readSeen(asFields(fields["seen"])),
    waiting:
      waiting && waitingGoal !== null
        ? { sessionId: text(waiting["session"], 128) ?? "", goal: waitingGoal, at: timeOf(waiting["at"]) }
        : null,
  });
}

function migrate(fields: Fields): Checkpoint {
  const where = asFields(fields["where"]) ?? fields;
  const time = timeOf(fields["time"] ?? fields["timestamp"]);
  const directory = text(where["directory"] ?? fields["cwd"], bounds.path) ?? "";
  const empty = emptyCheckpoint(directory, text(fields["session"] ?? fields["session_id"], 128), time);
  const written: Written = {
    by: fields["source"] === "claude" ? "claude" : "user",
    at: time,
    goal: text(fields["goal"] ?? fields["task_description"]),
    done: texts(fields["done"], bounds.items),
    next: text(fields["next"]),
    blocker: text(fields["blocker"]),
  };
  return compose({
    ...empty,
    source: written.by,
    finished: fields["finished"] === true,
    written,
    where: {
      ...empty.where,
      repository: text(where["repo"], bounds.path),
      branch: text(where["branch"], bounds.path),
      files: texts(where["files"] ?? fields["files_modified"], bounds.files, bounds.path),
      pullRequest: text(where["pr"], bounds.path),
      issue: text(where["issue"], bounds.path),
    },
  });
}

function readWritten(fields: Fields | undefined): Written | null {
  if (!fields) return null;
  return {
    by: fields["by"] === "claude" ? "claude" : "user",
    at: timeOf(fields["at"]),
    goal: text(fields["goal"]),
    done: texts(fields["done"], bounds.items),
    next: text(fields["next"]),
    blocker: text(fields["blocker"]),
  };
}

function readSeen(fields: Fields | undefined): Seen {
  if (!fields) return emptySeen();
  const { turn } = fields;
  return {
    goal: text(fields["goal"]),
    goalAt: timeOf(fields["goalAt"]),
    earlier: texts(fields["earlier"], bounds.earlier),
    worked: fields["worked"] === true,
    request: text(fields["request"]),
    requestAt: timeOf(fields["requestAt"]),
    done: texts(fields["done"], bounds.items),
    tasks: (Array.isArray(fields["tasks"]) ? fields["tasks"] : []).slice(0, bounds.tasks).flatMap(readTask),
    tasksAt: timeOf(fields["tasksAt"]),
    turn: turn === "working" || turn === "failed" ? turn : "answered",
    lastMessage: text(fields["lastMessage"]),
    failure: text(fields["failure"]),
    usage: text(fields["usage"]),
  };
}

function readTask(value: unknown): Task[] {
  const fields = asFields(value);
  const subject = text(fields?.["subject"]);
  const status = fields?.["status"];
  if (subject === null || (status !== "pending" && status !== "in_progress" && status !== "completed")) return [];
  return [{ id: text(fields?.["id"], 100) ?? "", subject, status }];
}

type Fields = Record<string, unknown>;

function asFields(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function text(value: unknown, limit: number = bounds.words): string | null {
  return (typeof value === "string" ? shortenToLine(value, limit) : "") || null;
}

function texts(value: unknown, count: number, limit?: number): string[] {
  const list = Array.isArray(value) ? value : typeof value === "string" ? [value] : [];
  return list.slice(0, count).flatMap((item) => text(item, limit) ?? []);
}

function timeOf(value: unknown): number {
  const time = typeof value === "number" ? value : typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) && Math.abs(time) < 8e15 ? time : 0;
}

/** Null means never. */
const isoTime = (time: number): string | null => (time === 0 ? null : new Date(time).toISOString());
