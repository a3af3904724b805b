import { dirname, join } from "node:path";
import cclaude from "../../../shims/cclaude" with { type: "text" };
import cclaudeCmd from "../../../shims/cclaude.cmd" with { type: "text" };
import cclaudePs1 from "../../../shims/cclaude.ps1" with { type: "text" };
import sessionSnapshot from "../../../shims/session-snapshot" with { type: "text" };
import sessionSnapshotCmd from "../../../shims/session-snapshot.cmd" with { type: "text" };
import sessionSnapshotPs1 from "../../../shims/session-snapshot.ps1" with { type: "text" };
import { createFile, removeFile } from "../../io/durable/durable.ts";
import { fileSize, readText } from "../../io/files/read-file.ts";
import { sweepBeside } from "../../io/durable/sweep-beside.ts";
import type { InstallChanges } from "./install-changes.ts";
import { messageOf } from "../../core/message-of.ts";

interface Shim {
  path: string;
  text: string;
}

const isWindowsProgram = (executable: string): boolean => executable.toLowerCase().endsWith(".exe");

/** The small scripts beside the executable that start it under its other names; an .exe gets the Windows ones. */
function shimsFor(executable: string): Shim[] {
  const directory = dirname(executable);
  const texts = isWindowsProgram(executable)
    ? {
        "cclaude.cmd": cclaudeCmd,
        "cclaude.ps1": cclaudePs1,
        "session-snapshot.cmd": sessionSnapshotCmd,
        "session-snapshot.ps1": sessionSnapshotPs1,
      }
    : { cclaude, "session-snapshot": sessionSnapshot };
  return Object.entries(texts).map(([name, text]) => ({ path: join(directory, name), text }));
}

/** Does not replace an existing file: it may be a link to this program. */
export function placeShims(executable: string, { dryRun, now }: { dryRun: boolean; now: number }): InstallChanges {
  // The shims start "ai-runtime", so they would not work if the executable has another name.
  if (
    fileSize(join(dirname(executable), isWindowsProgram(executable) ? "ai-runtime.exe" : "ai-runtime")) === undefined
  ) {
    return { changes: [], failures: [] };
  }
  if (!dryRun) sweepBeside(executable, now);
  const missing = shimsFor(executable).filter(({ path }) => fileSize(path) === undefined);
  return changeEach(missing, "place", ({ path, text }) => dryRun || createFile(path, text, { mode: 0o755 }));
}

/** Removes only unchanged shims. */
export function removeShims(executable: string, { dryRun, now }: { dryRun: boolean; now: number }): InstallChanges {
  if (!dryRun) sweepBeside(executable, now);
  const ours = shimsFor(executable).filter(
    ({ path, text }) => fileSize(path) === new TextEncoder().encode(text).length && readText(path) === text,
  );
  return changeEach(ours, "remove", ({ path }) => dryRun || removeFile(path));
}

/** The hooks work without shims, so a directory that is not writable is only reported. */
function changeEach(shims: Shim[], verb: string, change: (shim: Shim) => unknown): InstallChanges {
  const done: InstallChanges = { changes: [], failures: [] };
  for (const shim of shims) {
    try {
      change(shim);
      done.changes.push(`${verb} ${shim.path}`);
    } catch (error) {
      done.failures.push(messageOf(error));
    }
  }
  return done;
}
