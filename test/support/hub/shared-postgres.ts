import { afterAll } from "bun:test";
import { TestPostgres } from "./postgres.ts";

/** The bound for a hang; a hook does not have the one of the tests. */
export const startTimeoutMs = 120_000;

let shared: Promise<TestPostgres> | undefined;

/** One server for all tests of a process. */
export function sharedPostgres(): Promise<TestPostgres> {
  return (shared ??= TestPostgres.start());
}

afterAll(async () => {
  const started = shared;
  shared = undefined;
  await (await started)?.end();
}, startTimeoutMs);
