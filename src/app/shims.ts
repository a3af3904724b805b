import { dirname, join } from "node:path";
import cclaude from "../../shims/cclaude" with { type: "text" };
import cclaudeCmd from "../../shims/cclaude.cmd" with { type: "text" };
import cclaudePs1 from "../../shims/cclaude.ps1" with { type: "text" };
import sessionSnapshot from "../../shims/session-snapshot" with { type: "text" };
import sessionSnapshotCmd from "../../shims/session-snapshot.cmd" with { type: "text" };
import sessionSnapshotPs1 from "../../shims/session-snapshot.ps1" with { type: "text" };
import { createFile, removeFile } from "../io/durable.ts";
import { fileSize, readText } from "../io/read-file.ts";

interface Shim {
  path: string;
  text: string;
}

/** The tiny scripts beside the executable that give it its other names; an .exe gets those of Windows. */
function shimsFor(executable: string): Shim[] {
  const directory = dirname(executable);
  const texts = executable.toLowerCase().endsWith(".exe")
    ? {
        "cclaude.cmd": cclaudeCmd,
        "cclaude.ps1": cclaudePs1,
        "session-snapshot.cmd": sessionSnapshotCmd,
        "session-snapshot.ps1": sessionSnapshotPs1,
      }
    : { cclaude, "session-snapshot": sessionSnapshot };
  return Object.entries(texts).map(([name, text]) => ({ path: join(directory, name), text }));
}

/** Those that are not there yet. A file of that name, whatever it is, is left alone: it may be a link to us. */
export const missingShims = (executable: string): string[] =>
  shimsFor(executable)
    .filter(({ path }) => fileSize(path) === undefined)
    .map(({ path }) => path);

export function placeShims(executable: string): string[] {
  const missing = missingShims(executable);
  for (const { path, text } of shimsFor(executable)) {
    if (missing.includes(path)) createFile(path, text, { mode: 0o755 });
  }
  return missing;
}

/** Removes what still is, to the letter, what we placed. */
export function removeShims(executable: string, dryRun: boolean): string[] {
  return shimsFor(executable)
    .filter(({ path, text }) => fileSize(path) === new TextEncoder().encode(text).length && readText(path) === text)
    .map(({ path }) => path)
    .filter((path) => dryRun || removeFile(path));
}
