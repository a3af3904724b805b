import { subagentsDirectory } from "../../claude/paths.ts";
import {
  metaFileOf,
  readStoppedSubagents,
  readSubagent,
  readSubagentTask,
  subagentId,
} from "../../claude/side-files/subagent.ts";
import { type DeadSubagent, judgeSubagent, makeDeadSubagent } from "../../core/restart/dead-subagent.ts";
import { fileFacts, listDirectory, readRange, readText, withFile } from "../../io/files/read-file.ts";
import { linesBackwards } from "../../io/files/read-lines-backwards.ts";
import type { Environment } from "../environment.ts";
import { findLiveClaude } from "./live-session.ts";
import { currentClock } from "./transcript-end.ts";

/** The end of a subagent's transcript says what it did; a long one is not read whole. */
const maxTailBytes = 2_000_000;
const maxHeadBytes = 64_000;
/** Notices that Claude stopped a subagent are searched this far back in the conversation. */
const maxSearchBytes = 16_000_000;

interface Search {
  /** Milliseconds since 1970: older subagents are left out. */
  readonly since?: number;
  /** The process that asks holds the session, as a hook does: another one cannot have it open. */
  readonly isResuming?: boolean;
}

/** The subagents of a session that died, oldest first. Reads only transcripts; changes nothing. */
export function findDeadSubagents(
  environment: Environment,
  sessionId: string,
  transcriptPath: string,
  { since = 0, isResuming = false }: Search = {},
): DeadSubagent[] {
  const directory = subagentsDirectory(transcriptPath);
  const paths = listDirectory(directory)
    .filter((name) => subagentId(name) !== undefined)
    .map((name) => `${directory}/${name}`)
    .filter((path) => (fileFacts(path)?.modified ?? 0) >= since);
  if (paths.length === 0) return [];
  const isRunning = !isResuming && findLiveClaude(environment, sessionId, transcriptPath) !== undefined;
  let stopped: Set<string> | undefined;
  const isStopped = (id: string): boolean => (stopped ??= findStopped(transcriptPath)).has(id);
  return paths
    .flatMap((path) => readDead(environment, path, isRunning, isStopped) ?? [])
    .sort((one, other) => one.time - other.time);
}

const findStopped = (transcriptPath: string): Set<string> =>
  withFile(transcriptPath, ({ fd, size }) => readStoppedSubagents(linesBackwards(fd, size, maxSearchBytes))) ??
  new Set();

function readDead(
  environment: Environment,
  path: string,
  isRunning: boolean,
  isStopped: (id: string) => boolean,
): DeadSubagent | undefined {
  const id = subagentId(path.split("/").at(-1) ?? "");
  const found = withFile(path, ({ fd, size }) => ({
    work: readSubagent(linesBackwards(fd, size, maxTailBytes), currentClock(environment)),
    head: Buffer.from(readRange(fd, 0, Math.min(size, maxHeadBytes))).toString(),
  }));
  if (id === undefined || found?.work === undefined) return undefined;
  const { work, head } = found;
  const isOpen = work.ending === "open";
  const death = judgeSubagent(work.ending, { isRunning, isStopped: isOpen && !isRunning && isStopped(id) });
  if (death === undefined) return undefined;
  const { task, type } = readSubagentTask(readText(metaFileOf(path)) ?? "", head.split("\n", 1)[0] ?? "");
  return makeDeadSubagent({
    id,
    type,
    task,
    death,
    time: work.time ?? fileFacts(path)?.modified ?? 0,
    lastStep: work.lastStep ?? null,
    lastWords: work.lastWords ?? null,
    files: work.files,
    transcript: path,
  });
}
