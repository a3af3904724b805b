import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forgetLimit, readKnownLimit, tellLimit } from "../../../src/store/runs/known-limit.ts";
import { tryLock } from "../../../src/store/lock.ts";
import { RunPaths } from "../../../src/store/runs/run-paths.ts";

const now = 1_800_000_000_000;
const tell = (paths: RunPaths, account: string, until: number, time = now): Promise<void> =>
  tellLimit(paths, account, { until, run: "20261117-090000-aaaa", time });

async function withPaths(work: (paths: RunPaths) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "air-limits-"));
  try {
    await work(new RunPaths(root));
  } finally {
    rmSync(root, { recursive: true });
  }
}

test("a limit is known for its account until it ends", () =>
  withPaths(async (paths) => {
    expect(readKnownLimit(paths, "one", now)).toBeUndefined();
    await tell(paths, "one", now + 5_000);
    expect(readKnownLimit(paths, "one", now)).toBe(now + 5_000);
    expect(readKnownLimit(paths, "two", now)).toBeUndefined();
    expect(readKnownLimit(paths, "one", now + 5_000)).toBeUndefined();
  }));

test("a later report replaces an earlier one, and other accounts keep theirs", () =>
  withPaths(async (paths) => {
    await tell(paths, "one", now + 5_000);
    await tell(paths, "two", now + 6_000);
    await tell(paths, "one", now + 4_000);
    expect(readKnownLimit(paths, "one", now)).toBe(now + 4_000);
    expect(readKnownLimit(paths, "two", now)).toBe(now + 6_000);
  }));

test("an answer ends the limit of that account only", () =>
  withPaths(async (paths) => {
    await tell(paths, "one", now + 5_000);
    await tell(paths, "two", now + 6_000);
    await forgetLimit(paths, "one", now);
    expect(readKnownLimit(paths, "one", now)).toBeUndefined();
    expect(readKnownLimit(paths, "two", now)).toBe(now + 6_000);
  }));

test("removes limits that are over", () =>
  withPaths(async (paths) => {
    await tell(paths, "one", now + 5_000);
    await tell(paths, "two", now + 9_000, now + 6_000);
    expect(await Bun.file(paths.limits).json()).toMatchObject({ accounts: { two: { until: now + 9_000 } } });
    expect(await Bun.file(paths.limits).text()).not.toContain('"one"');
  }));

test.each([
  "{",
  "null",
  '{"version":2}',
  '{"version":1,"accounts":[]}',
  '{"version":1,"accounts":{"one":null}}',
  '{"version":1,"accounts":{"one":{"until":"later"},"other":7}}',
])("ignores %p, and the next limit is written", (text) =>
  withPaths(async (paths) => {
    writeFileSync(paths.limits, text);
    expect(readKnownLimit(paths, "one", now)).toBeUndefined();
    await tell(paths, "two", now + 5_000);
    expect(readKnownLimit(paths, "two", now)).toBe(now + 5_000);
  }),
);

test("does not wait long for the lock", () =>
  withPaths(async (paths) => {
    await tell(paths, "one", now + 5_000);
    const held = tryLock(`${paths.locks}/limits.lock`);
    if (!held) throw new Error("the lock is already held");
    await tell(paths, "one", now + 6_000);
    held.release();
    expect(readKnownLimit(paths, "one", now)).toBe(now + 5_000);
  }));
