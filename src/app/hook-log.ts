import { appendRange, makeDirectory, moveFile } from "../io/durable.ts";
import { fileSize, readText } from "../io/read-file.ts";
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
    const size = fileSize(log) ?? 0;
    if (size > most) moveFile(log, `${log}.old`, { overwrite: true });
    const time = new Date(environment.now()).toISOString();
    const line = new TextEncoder().encode(`${time} ${message.replaceAll("\n", " ")}\n`);
    appendRange({ source: line, from: 0, to: line.length, target: log, at: size > most ? 0 : size });
  } catch {
    // Disk full or no permission: the hook must stay silent all the same.
  }
}
