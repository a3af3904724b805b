import { programName } from "../claude/hooks/hook-command.ts";
import { Failure } from "../core/failure.ts";

/** Our hooks call this path, and install recognizes them by its name. Fails when Bun itself runs the source. */
export function ownExecutable(): string {
  const name = programName(process.execPath);
  if (name === "ai-runtime" || name === "session-snapshot") return process.execPath;
  throw new Failure(
    "failed",
    `${process.execPath} is not named ai-runtime, so install could not recognize its own hooks later`,
    {
      hint: "Rename the executable to ai-runtime and run this again.",
    },
  );
}

/** The command that starts session-snapshot; the executable may have either name. */
export function sessionSnapshotCommand(executable: string): [string, ...string[]] {
  return programName(executable) === "session-snapshot" ? [executable] : [executable, "session-snapshot"];
}
