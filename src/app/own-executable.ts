import { programName } from "../claude/hook-command.ts";
import { Failure } from "../core/failure.ts";

/** Hooks call it by this path, and are recognised by its name: so it must be ours, not Bun's that runs the source. */
export function ownExecutable(): string {
  const name = programName(process.execPath);
  if (name === "ai-runtime" || name === "session-snapshot") return process.execPath;
  throw new Failure(
    "failed",
    `${process.execPath} is not named ai-runtime, so its hooks could not be told from others`,
    {
      hint: "Rename the executable to ai-runtime and run this again.",
    },
  );
}

/** The words that start session-snapshot from an executable that may have either name. */
export function sessionSnapshotCommand(executable: string): [string, ...string[]] {
  return programName(executable) === "session-snapshot" ? [executable] : [executable, "session-snapshot"];
}
