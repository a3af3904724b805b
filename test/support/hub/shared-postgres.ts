import { afterAll } from "bun:test";
import { TestPostgres } from "./postgres.ts";

let shared: Promise<TestPostgres> | undefined;

/** One server for all tests of a process. */
export function sharedPostgres(): Promise<TestPostgres> {
  return (shared ??= TestPostgres.start());
}

afterAll(async () => {
  const started = shared;
  shared = undefined;
  await (await started)?.end();
});
