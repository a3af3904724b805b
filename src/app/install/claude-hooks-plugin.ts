import { toolCallEvent } from "../../claude/hooks/hook-event.ts";
import { createFile, makeDirectory, removeFile, replaceFile } from "../../io/durable/durable.ts";
import { parentOf, readText } from "../../io/files/read-file.ts";
import type { InstallChanges } from "./install-changes.ts";
import { isOwnPlugin, pluginSignature } from "../installed-hooks.ts";
import { sessionSnapshotCommand } from "../own-executable.ts";

/** The plugin passes PostToolUse to the executable, does not wait, and ignores errors. */
export function pluginText(executable: string, version: string): string {
  const [program, ...words] = sessionSnapshotCommand(executable);
  return `${pluginSignature}
import { spawn } from "node:child_process";

export default {
  name: "session-snapshot",
  version: ${JSON.stringify(version)},
  run(payload) {
    if (payload.hook_event_name !== ${JSON.stringify(toolCallEvent)}) return;
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

/** Never changes a file of that name that ai-runtime did not write. */
export function writePlugin(path: string, text: string, dryRun: boolean): InstallChanges {
  const present = readText(path);
  if (present === text) return { changes: [], failures: [] };
  if (present !== undefined && !present.startsWith(pluginSignature)) {
    return {
      changes: [],
      failures: [`${path} was not written by session-snapshot and was left unchanged; our hook is not installed`],
    };
  }
  if (!dryRun) {
    makeDirectory(parentOf(path), { shared: true });
    if (present === undefined) createFile(path, text, { mode: 0o644 });
    else replaceFile(path, text, { mode: 0o644 });
  }
  return { changes: [`${present === undefined ? "write" : "update"} ${path}`], failures: [] };
}

export function removePlugin(path: string, dryRun: boolean): string[] {
  if (!isOwnPlugin(path)) return [];
  if (!dryRun) removeFile(path);
  return [`remove ${path}`];
}
