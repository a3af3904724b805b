import { join } from "node:path";
import type { ClaudeVersion } from "../sandbox/claude-versions.ts";

/** The stored output of `recordConversation`; test/e2e/client/recorded-conversation.test.ts compares it with the real client. */
export const storedTranscript = (version: ClaudeVersion): string =>
  join(import.meta.dir, "../../fixtures/transcripts", version, "conversation.jsonl");
