import { join } from "node:path";
import type { ClaudeVersion } from "../sandbox/claude-versions.ts";
import type { StreamName } from "./record-streams.ts";

/** The stored output of `recordStream`; test/e2e/client/recorded-streams.test.ts compares it with the real client. */
export const storedStream = (version: ClaudeVersion, name: StreamName): string =>
  join(import.meta.dir, "../../fixtures/streams", version, `${name}.jsonl`);
