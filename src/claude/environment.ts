/**
 * What Claude sets for its own children. A claude that we start must not take itself for a child of another:
 * an inherited CLAUDE_CODE_CHILD_SESSION silently turned transcript saving off.
 */
const setByClaude = new Set([
  "CLAUDECODE",
  "CLAUDE_CODE_CHILD_SESSION",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_SESSION_ATTENDED",
  "CLAUDE_CODE_MESSAGING_SOCKET",
  "CLAUDE_PID",
]);

/** The variables for a claude that we start. */
export function claudeEnvironment(variables: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !setByClaude.has(name)));
}
