import { Failure } from "../core/failure.ts";
import { readSettings } from "../core/settings.ts";
import { findExecutable, isExecutableFile, isSameExecutable } from "../io/files/find-executable.ts";
import type { Variables } from "../core/variables.ts";

/** Whether a small script named claude only starts this program again. */
const isOwnShim = (text: string): boolean => /\b(cclaude|ai-runtime)\b/.test(text);

/** The real claude: CCLAUDE_CLAUDE_BIN if set, else the first on PATH that is not this program named claude. */
export function findClaude(variables: Variables, ownPath: string): string {
  const chosen = readSettings(undefined, variables).settings.claudeBinary;
  if (chosen) {
    if (!isExecutableFile(chosen)) {
      throw new Failure("no-claude", `CCLAUDE_CLAUDE_BIN is "${chosen}", which is not an executable file`);
    }
    if (!isSameExecutable(chosen, ownPath)) return chosen;
    throw new Failure("no-claude", `CCLAUDE_CLAUDE_BIN is "${chosen}", which is this program itself`);
  }
  const found = findExecutable(["claude", "claude.exe", "claude.cmd"], variables["PATH"] ?? "", ownPath, isOwnShim);
  if (found) return found;
  throw new Failure("no-claude", "claude is not on PATH", {
    hint: "Install it with: npm install -g @anthropic-ai/claude-code (or set CCLAUDE_CLAUDE_BIN to its path).",
  });
}
