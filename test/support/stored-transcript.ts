import { join } from "node:path";
import type { ClaudeVersion } from "./claude-versions.ts";

/** What `recordConversation` got from this client; test/e2e/recorded-conversation.test.ts keeps it true. */
export const storedTranscript = (version: ClaudeVersion): string =>
  join(import.meta.dir, "../fixtures/transcripts", version, "conversation.jsonl");
