import { createFile, makeDirectory, removeFile, replaceFile } from "../io/durable.ts";
import { isDirectory, parentOf, readText } from "../io/read-file.ts";
import { configHome } from "../store/snapshot-paths.ts";
import type { Changes } from "./changes.ts";
import type { Environment } from "./environment.ts";
import { sessionSnapshotCommand } from "./own-executable.ts";
import { readOrReport } from "./read-or-report.ts";

/** Where claude-hooks, which has one directory for each event, would load ours from; undefined when it is not used here. */
export function pluginFile({ variables, home }: Environment): string | undefined {
  const directory = `${configHome(variables, home)}/claude-hooks/plugins`;
  return isDirectory(directory) ? `${directory}/PostToolUse/session-snapshot.ts` : undefined;
}

const signature = "// Written by session-snapshot install; session-snapshot uninstall removes it.";

/** Hands PostToolUse over to the executable, without waiting for it and whatever becomes of it. */
export function pluginText(executable: string, version: string): string {
  const [program, ...words] = sessionSnapshotCommand(executable);
  return `${signature}
import { spawn } from "node:child_process";

export default {
  name: "session-snapshot",
  version: ${JSON.stringify(version)},
  run(payload) {
    if (payload.hook_event_name !== "PostToolUse") return;
    const child = spawn(${JSON.stringify(program)}, ${JSON.stringify([...words, "hook"])}, {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    child.on("error", () => {});
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(payload));
    child.unref();
  },
};
`;
}

/** A foreign file of that name is never touched. */
export function writePlugin(path: string, text: string, dryRun: boolean): Changes {
  const present = readText(path);
  if (present === text) return { changes: [], failures: [] };
  if (present !== undefined && !present.startsWith(signature)) {
    return { changes: [], failures: [`${path} is not ours and was left alone, so our hooks have no place there`] };
  }
  if (!dryRun) {
    makeDirectory(parentOf(path), { shared: true });
    if (present === undefined) createFile(path, text, { mode: 0o644 });
    else replaceFile(path, text, { mode: 0o644 });
  }
  return { changes: [`${present === undefined ? "write" : "update"} ${path}`], failures: [] };
}

/** Whether what lies there was written by us. */
export const isOwnPlugin = (path: string): boolean => readOrReport(path).text?.startsWith(signature) === true;

export function removePlugin(path: string, dryRun: boolean): string[] {
  if (!isOwnPlugin(path)) return [];
  if (!dryRun) removeFile(path);
  return [`remove ${path}`];
}
