import { claudeEnvironment } from "../claude/environment.ts";
import { isSupervisable, splitArguments } from "../claude/flags.ts";
import { Failure } from "../core/failure.ts";
import { isDirectory } from "../io/read-file.ts";
import { type ChildEnd, runInPlace } from "../io/run-child.ts";
import { withOptionalScratchDirectory } from "../io/scratch-directory.ts";
import { hostEventsVariable, runVariable } from "./environment.ts";
import { findClaude } from "./find-claude.ts";
import { superviseClaude } from "./supervise.ts";
import type { Talk } from "./talk.ts";

/** Counts how deep a cclaude is inside others: one or two are a claude that calls cclaude, more are a circle. */
const levelVariable = "CCLAUDE_LEVEL";
const deepest = 5;

/** How cclaude itself ends: as claude did, or for a reason of its own. */
export type RunEnd = Pick<ChildEnd, "exitCode" | "signal"> | { readonly own: "waiting" | "stopped" };

export function runClaude(
  argv: readonly string[],
  variables: Record<string, string | undefined>,
  talk: Talk,
): Promise<RunEnd> {
  const claude = findClaude(variables, process.execPath);
  const level = Number(variables[levelVariable] ?? 0) + 1;
  if (level > deepest) {
    throw new Failure("no-claude", `${claude} starts cclaude again instead of Claude Code`, {
      hint: "Set CCLAUDE_CLAUDE_BIN to the real claude.",
    });
  }
  const { [runVariable]: _, [hostEventsVariable]: shared, ...rest } = claudeEnvironment(variables);
  const child = { ...rest, [levelVariable]: String(level) };
  const segments = splitArguments(argv);
  if (!isSupervisable(segments)) return runInPlace({ command: [claude, ...argv], variables: child });
  const supervise = (runDirectory: string | undefined): Promise<RunEnd> =>
    superviseClaude({
      claude,
      segments,
      variables: runDirectory === undefined ? child : { ...child, [runVariable]: runDirectory },
      runDirectory,
      settingsFrom: variables,
      talk,
    });
  // A host that runs us listens to the same hooks.
  return shared !== undefined && isDirectory(shared) ? supervise(shared) : withOptionalScratchDirectory(supervise);
}
