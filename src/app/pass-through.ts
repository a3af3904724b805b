import { type ChildEnd, runInPlace } from "../io/run-child.ts";
import { claudeEnvironment } from "../claude/environment.ts";
import { findClaude } from "./find-claude.ts";

export function passThrough(argv: readonly string[], variables: Record<string, string | undefined>): Promise<ChildEnd> {
  const claude = findClaude(variables, process.execPath);
  return runInPlace([claude, ...argv], claudeEnvironment(variables));
}
