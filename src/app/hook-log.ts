import { appendRange, makeDirectory, moveFile } from "../io/durable.ts";
import { fileSize } from "../io/read-file.ts";
import type { Environment } from "./environment.ts";

const most = 1_000_000;

/** One line for `status` and `doctor` to show. If even that cannot be written, there is nobody left to tell. */
export function logProblem(environment: Environment, message: string): void {
  try {
    const { log, root } = environment.paths;
    makeDirectory(`${root}/logs`);
    const size = fileSize(log) ?? 0;
    if (size > most) moveFile(log, `${log}.old`, { overwrite: true });
    const line = new TextEncoder().encode(
      `${new Date(environment.now()).toISOString()} ${message.replaceAll("\n", " ")}\n`,
    );
    appendRange({ source: line, from: 0, to: line.length, target: log, at: size > most ? 0 : size });
  } catch {
    // Disk full or no permission: the hook must stay silent all the same.
  }
}
