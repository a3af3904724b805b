import { Failure } from "../core/failure.ts";
import { findExecutable, isExecutableFile, isSameExecutable } from "../io/find-executable.ts";

/** Whether a small script of that name only starts us again. */
const isOwnShim = (text: string): boolean => /\b(cclaude|ai-runtime)\b/.test(text);

/** The real claude: the user's choice, else the first on PATH that is not this program under that name. */
export function findClaude(variables: Record<string, string | undefined>, ownPath: string): string {
  const chosen = variables["CCLAUDE_CLAUDE_BIN"];
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
