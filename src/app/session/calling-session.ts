import { callingSession } from "../../claude/environment.ts";
import { Failure } from "../../core/failure.ts";
import { isSessionId } from "../../core/session-id.ts";
import type { Environment } from "../environment.ts";
import { listConversations } from "./list-conversations.ts";

/** How Claude names its own conversation, whose id it need not know. */
export const thisSession = "this";

/** The conversation in which Claude calls us; without its variable, the newest one of this directory. */
export function findCallingSession(environment: Environment): string {
  const own = callingSession(environment.variables);
  if (own !== undefined && isSessionId(own)) return own;
  const [newest] = listConversations(environment, environment.cwd);
  if (newest) return newest.sessionId;
  throw new Failure("not-found", `Claude has no conversation in ${environment.cwd}`);
}
