import { joinArguments, splitArguments } from "./flags.ts";
import { keptArguments } from "./restart-arguments.ts";

/** Flags that only `claude -p` accepts. Without a prompt it would fail, so a user resumes in the terminal. */
const printFlags = new Set([
  "print",
  "output-format",
  "input-format",
  "include-partial-messages",
  "replay-user-messages",
]);

/** The arguments with which a user resumes a session in the terminal: same model, same permissions. Default: the newest session. */
export function resumeArguments(argv: readonly string[], sessionId: string | undefined): string[] {
  const kept = splitArguments(keptArguments(argv)).filter(
    (segment) => segment.kind !== "flag" || !printFlags.has(segment.flag.name),
  );
  return [...(sessionId === undefined ? ["--continue"] : ["--resume", sessionId]), ...joinArguments(kept)];
}
