import { fileSize } from "../io/read-file.ts";
import type { Environment } from "./environment.ts";
import type { FoundSession } from "./find-session.ts";
import { findLiveClaude } from "./live-session.ts";

export type Readiness = "ready" | "went-on-elsewhere";

/**
 * The last look before a session is resumed, after however long a wait: nobody else may have gone on with it, for two claudes
 * on one session make branches of which the next one sees only one. Checking the transcript itself belongs here as well.
 */
export function prepareResume(
  environment: Environment,
  session: FoundSession,
  sizeAtEnd: number | undefined,
): Readiness {
  if (findLiveClaude(environment, session.id) !== undefined) return "went-on-elsewhere";
  return fileSize(session.transcriptPath) === sizeAtEnd ? "ready" : "went-on-elsewhere";
}
