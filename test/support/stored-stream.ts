import { join } from "node:path";
import type { ClaudeVersion } from "./claude-versions.ts";
import type { StreamName } from "./record-streams.ts";

/** What `recordStream` got from this client; test/e2e/recorded-streams.test.ts keeps it true. */
export const storedStream = (version: ClaudeVersion, name: StreamName): string =>
  join(import.meta.dir, "../fixtures/streams", version, `${name}.jsonl`);
