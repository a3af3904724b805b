import { dirname, join } from "node:path";
import cclaude from "../../shims/cclaude" with { type: "text" };
import cclaudeCmd from "../../shims/cclaude.cmd" with { type: "text" };
import cclaudePs1 from "../../shims/cclaude.ps1" with { type: "text" };
import sessionSnapshot from "../../shims/session-snapshot" with { type: "text" };
import sessionSnapshotCmd from "../../shims/session-snapshot.cmd" with { type: "text" };
import sessionSnapshotPs1 from "../../shims/session-snapshot.ps1" with { type: "text" };
import { createFile, removeFile } from "../io/durable.ts";
import { fileSize, readText } from "../io/read-file.ts";
import { sweepBeside } from "../io/sweep-beside.ts";
import type { Changes } from "./changes.ts";

interface Shim {
  path: string;
  text: string;
}

const isWindowsProgram = (executable: string): boolean => executable.toLowerCase().endsWith(".exe");

/** The tiny scripts beside the executable that give it its other names; an .exe gets those of Windows. */
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

/** A file of that name, whatever it is, is left alone: it may be a link to us. */
export function placeShims(executable: string, { dryRun, now }: { dryRun: boolean; now: number }): Changes {
  // They start it by that name: where it has another one, they would start nothing.
  if (
    fileSize(join(dirname(executable), isWindowsProgram(executable) ? "ai-runtime.exe" : "ai-runtime")) === undefined
  ) {
    return { changes: [], failures: [] };
  }
  if (!dryRun) sweepBeside(executable, now);
  const missing = shimsFor(executable).filter(({ path }) => fileSize(path) === undefined);
  return changeEach(missing, "place", ({ path, text }) => dryRun || createFile(path, text, { mode: 0o755 }));
}

/** Removes what still is, to the letter, what we placed. */
export function removeShims(executable: string, { dryRun, now }: { dryRun: boolean; now: number }): Changes {
  if (!dryRun) sweepBeside(executable, now);
  const ours = shimsFor(executable).filter(
    ({ path, text }) => fileSize(path) === new TextEncoder().encode(text).length && readText(path) === text,
  );
  return changeEach(ours, "remove", ({ path }) => dryRun || removeFile(path));
}

/** The hooks work without them: where we may not write beside the executable, that is said and no more. */
function changeEach(shims: Shim[], verb: string, change: (shim: Shim) => unknown): Changes {
  const done: Changes = { changes: [], failures: [] };
  for (const shim of shims) {
    try {
      change(shim);
      done.changes.push(`${verb} ${shim.path}`);
    } catch (error) {
      done.failures.push(error instanceof Error ? error.message : String(error));
    }
  }
  return done;
}
