import type { Variables } from "../core/variables.ts";

/**
 * Variables that Claude sets for its child processes. A claude that we start must not inherit them: with an inherited
 * CLAUDE_CODE_CHILD_SESSION it silently saves no transcript.
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

/** The conversation of the Claude that started this process; undefined outside of one, and in early versions. */
export const callingSession = (variables: Variables): string | undefined => variables["CLAUDE_CODE_SESSION_ID"];

const retryWatchdog = "CLAUDE_CODE_RETRY_WATCHDOG";

/** Lets claude wait for a limit or a failing API inside its process. The user's own value stays, also one that switches it off. */
export const withRetryWatchdog = (variables: Variables): Variables =>
  variables[retryWatchdog] === undefined ? { ...variables, [retryWatchdog]: "1" } : variables;

export const hasRetryWatchdog = (variables: Variables): boolean =>
  ["1", "true", "yes", "on"].includes(variables[retryWatchdog]?.toLowerCase().trim() ?? "");

/** A shell command that continues a session with transcripts on, although this shell was started by Claude. */
export const continueOutsideClaude = "env -u CLAUDE_CODE_CHILD_SESSION -u CLAUDECODE claude --continue";

/** The variables for a claude that we start. */
export function claudeEnvironment(variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !setByClaude.has(name)));
}

const concerningNames = new Set([
  "ALL_PROXY",
  "BASH_DEFAULT_TIMEOUT_MS",
  "BASH_MAX_TIMEOUT_MS",
  "GH_TOKEN",
  "GITHUB_TOKEN",
  "HTTPS_PROXY",
  "HTTP_PROXY",
  "MAX_THINKING_TOKENS",
  "NODE_EXTRA_CA_CERTS",
  "NO_PROXY",
  "SSH_AUTH_SOCK",
  "SSL_CERT_DIR",
  "SSL_CERT_FILE",
]);

/** Whether a variable of the user concerns Claude: its account, provider, network or tools, or our own programs. */
export const concernsClaude = (name: string): boolean =>
  concerningNames.has(name.toUpperCase()) ||
  (/^(ANTHROPIC|CLAUDE|AWS|GOOGLE|VERTEX|CLOUD_ML|AZURE|MCP|DISABLE|OTEL|AI_RUNTIME|CCLAUDE|SESSION_SNAPSHOT)_/.test(
    name,
  ) &&
    !setByClaude.has(name));

/** Variables that select the account, whose usage limit all its sessions share. */
export const accountVariables = [
  "ANTHROPIC_BASE_URL",
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN",
] as const;

/** A hook of the terminal interface has a user to talk to; `claude -p` and the SDKs have an entry point named `sdk…`. */
export const isAttended = (variables: Variables): boolean => !variables["CLAUDE_CODE_ENTRYPOINT"]?.startsWith("sdk");

/** Whether Claude started this process, directly or through a shell. */
export const isStartedByClaude = (variables: Variables): boolean => Boolean(variables["CLAUDECODE"]);

/** The directory in which Claude was started; set for hooks. */
export const projectDirectoryIn = (variables: Variables): string | undefined =>
  variables["CLAUDE_PROJECT_DIR"] || undefined;

/** The session of the claude that started this process. */
export const sessionIdIn = (variables: Variables): string | undefined => variables["CLAUDE_CODE_SESSION_ID"];

/** Recent clients set their process id for hooks. */
export const claudePidIn = (variables: Variables): number | undefined => Number(variables["CLAUDE_PID"]) || undefined;
