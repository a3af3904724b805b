import { withRetryWatchdog } from "../../claude/environment.ts";
import { canClaude, parseClaudeVersion } from "../../claude/versions.ts";
import type { Settings } from "../../core/settings.ts";
import type { Variables } from "../../core/variables.ts";
import { type ClaudeFile, knownVersion } from "../../store/cclaude/claude-versions.ts";
import { bestEffort } from "../best-effort.ts";
import type { Environment } from "../environment.ts";

interface RetryConditions extends Pick<Settings, "nativeRetry"> {
  /** The user has not asked for an end at a limit. */
  readonly mayWait: boolean;
  /** Claude prints nothing about its wait: a version that does not write it into the transcript either must not wait. */
  readonly isSilent?: boolean;
}

/**
 * The variables with which claude waits inside its own process, where it can. Where the user sees that wait, an unknown version
 * gets them too: a version without this feature ignores them.
 */
export function withNativeRetry(
  environment: Environment,
  file: ClaudeFile | undefined,
  variables: Variables,
  { nativeRetry, mayWait, isSilent = false }: RetryConditions,
): Variables {
  if (!nativeRetry || !mayWait) return variables;
  const known = bestEffort(environment, () => file && knownVersion(environment.paths, file), undefined);
  const version = parseClaudeVersion(known ?? "");
  const isSupported = isSilent
    ? canClaude(version, "recordedRetries")
    : !version || canClaude(version, "retryWatchdog");
  return isSupported ? withRetryWatchdog(variables) : variables;
}

/** In a terminal, Claude's own retry would ignore quiet hours. */
export const mayWaitInTerminal = ({ quietHours }: Pick<Settings, "quietHours">): boolean => quietHours === undefined;
