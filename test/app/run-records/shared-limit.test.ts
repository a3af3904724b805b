import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { SharedLimit } from "../../../src/app/run-records/shared-limit.ts";
import { runPathsOf } from "../../../src/app/run-records/register-run.ts";

const now = 1_800_000_000_000;
const reset = now + 60_000;

let home: string;

beforeEach(() => (home = realpathSync(mkdtempSync(join(tmpdir(), "air-shared-")))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

function limitOf(run: string, variables: Record<string, string> = {}): SharedLimit {
  const environment = { ...currentEnvironment({ HOME: home, ...variables }), now: () => now };
  return new SharedLimit(environment, runPathsOf(environment), run);
}

test("does not share the limit of one model", async () => {
  await limitOf("a").learn({ kind: "limit", resetsAt: reset, of: "model" }, false);
  expect(limitOf("b").known()).toBeNull();
});

test("shares a limit with runs of the same account only, and stores no secret", async () => {
  await limitOf("a", { ANTHROPIC_API_KEY: "key-one" }).learn({ kind: "limit", resetsAt: reset }, false);
  expect(limitOf("b", { ANTHROPIC_API_KEY: "key-one" }).known()).toBe(reset);
  for (const other of [
    {},
    { ANTHROPIC_API_KEY: "key-two" },
    { ANTHROPIC_API_KEY: "key-one", ANTHROPIC_BASE_URL: "http://127.0.0.1:1" },
    { ANTHROPIC_API_KEY: "key-one", ANTHROPIC_AUTH_TOKEN: "token" },
    { ANTHROPIC_API_KEY: "key-one", CLAUDE_CODE_OAUTH_TOKEN: "token" },
    { ANTHROPIC_API_KEY: "key-one", CLAUDE_CONFIG_DIR: "/elsewhere" },
  ] as Record<string, string>[]) {
    expect(limitOf("b", other).known()).toBeNull();
  }
  expect(readFileSync(join(home, ".local/state/ai-runtime/limits.json"), "utf8")).not.toContain("key-one");
});

test("does not share a limit without a reset time, or one that has passed", async () => {
  for (const resetsAt of [null, now, now - 1]) await limitOf("a").learn({ kind: "limit", resetsAt }, false);
  expect(limitOf("b").known()).toBeNull();
});

test("forgets the limit after an answer, and only then", async () => {
  await limitOf("a").learn({ kind: "limit", resetsAt: reset }, true);
  await limitOf("b").learn({ kind: "crash" }, false);
  await limitOf("b").learn({ kind: "limit", resetsAt: null }, true);
  expect(limitOf("b").known()).toBe(reset);
  await limitOf("b").learn({ kind: "crash" }, true);
  expect(limitOf("a").known()).toBeNull();
});
