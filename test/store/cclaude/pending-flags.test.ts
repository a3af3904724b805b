import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ownIdentity,
  type PendingFlags,
  readAbandonedFlags,
  removePendingFlags,
  writePendingFlags,
} from "../../../src/store/cclaude/pending-flags.ts";
import { SnapshotPaths } from "../../../src/store/snapshots/snapshot-paths.ts";

let paths: SnapshotPaths;
beforeEach(() => (paths = new SnapshotPaths(realpathSync(mkdtempSync(join(tmpdir(), "pending-"))))));
afterEach(() => rmSync(paths.root, { recursive: true, force: true }));

const own = ownIdentity() ?? { pid: 0, startTime: "", bootId: "" };
const flags = ["--append-system-prompt", 'it\'s "quoted"\nand broken \u2028 \\', "--add-dir", "a b", ""];
const record = (startTime: string, more: Partial<PendingFlags> = {}): PendingFlags => ({
  version: 1,
  process: { ...own, startTime },
  started: 1_000,
  cwd: "/project",
  flags,
  sessionId: null,
  ...more,
});

test("returns the exact flags of a dead cclaude, and none of a running one", async () => {
  await writePendingFlags(paths, record("dead"));
  await writePendingFlags(paths, record(own.startTime, { flags: ["--living"] }));
  expect(readAbandonedFlags(paths)).toEqual([record("dead")]);
  expect(statSync(paths.pendingFlags).mode & 0o777).toBe(0o600);
});

test("keeps one line per process; each removes its own, and the last removes the file", async () => {
  await writePendingFlags(paths, record("one"));
  await writePendingFlags(paths, record("two"));
  await writePendingFlags(paths, record("one", { sessionId: "s" }));
  const lines = readFileSync(paths.pendingFlags, "utf8").trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as PendingFlags).process.startTime)).toEqual(["two", "one"]);
  await removePendingFlags(paths, { ...own, startTime: "two" });
  expect(readAbandonedFlags(paths)).toEqual([record("one", { sessionId: "s" })]);
  await removePendingFlags(paths, { ...own, startTime: "one" });
  expect(statSync(paths.pendingFlags, { throwIfNoEntry: false })).toBeUndefined();
});

test("loses none of twenty concurrent writes", async () => {
  const all = Array.from({ length: 20 }, (_, n) => record(`p${n}`));
  await Promise.all(all.map((each) => writePendingFlags(paths, each)));
  expect(readAbandonedFlags(paths)).toHaveLength(20);
});

test("skips an unreadable line, and drops a record older than a month", async () => {
  await writePendingFlags(paths, record("old"));
  writeFileSync(paths.pendingFlags, `${readFileSync(paths.pendingFlags, "utf8")}{"torn\n`);
  await writePendingFlags(paths, record("new", { started: 40 * 86_400_000 }));
  expect(readAbandonedFlags(paths).map(({ process }) => process.startTime)).toEqual(["new"]);
});

test("keeps only the newest fifty records", async () => {
  for (let n = 1; n <= 53; n++) await writePendingFlags(paths, record(`p${n}`));
  const kept = readAbandonedFlags(paths).map(({ process }) => process.startTime);
  expect(kept).toHaveLength(50);
  expect([kept[0], kept.at(-1)]).toEqual(["p4", "p53"]);
});
