import { appendLine } from "../io/durable-append-line.ts";
import { makeDirectory, moveFile } from "../io/durable.ts";
import { fileSize, readText } from "../io/read-file.ts";
import { tryLock } from "../store/lock.ts";
import type { Environment } from "./environment.ts";

const most = 1_000_000;

/** One line for `status` and `doctor` to show. If even that cannot be written, there is nobody left to tell. */
export function logProblem(environment: Environment, message: string): void {
  writeLine(environment, message);
}

const debugWord = "debug:";

/** For people who look at what the hook does; never a problem. */
export function logDebug(environment: Environment, message: string): void {
  writeLine(environment, `${debugWord} ${message}`);
}

/** The newest problems, with their times, of the last week. */
export function recentProblems({ paths, now }: Environment): string[] {
  const lines = (readText(paths.log) ?? "").trimEnd().split("\n");
  const isRecent = (line: string): boolean => now() - Date.parse(line.split(" ")[0] ?? "") < 7 * 86_400_000;
  return lines.filter((line) => line.split(" ")[1] !== debugWord && isRecent(line)).slice(-3);
}

function writeLine(environment: Environment, message: string): void {
  try {
    const { log, root } = environment.paths;
    makeDirectory(`${root}/logs`);
    if (isFull(log)) setAside(log);
    appendLine(log, `${new Date(environment.now()).toISOString()} ${message.replaceAll("\n", " ")}`);
  } catch {
    // Disk full or no permission: the hook must stay silent all the same.
  }
}

const isFull = (log: string): boolean => (fileSize(log) ?? 0) > most;

/** One of many hooks does it: a second one would set aside the few lines that are new, in the place of the old. */
function setAside(log: string): void {
  const lock = tryLock(`${log}.lock`);
  if (lock === "busy") return;
  try {
    if (isFull(log)) moveFile(log, `${log}.old`, { overwrite: true });
  } finally {
    lock.discard();
  }
}
