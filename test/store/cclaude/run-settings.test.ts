import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeRunSettings, sweepRunSettings, writeRunSettings } from "../../../src/store/cclaude/run-settings.ts";
import { SnapshotPaths } from "../../../src/store/snapshots/snapshot-paths.ts";

const day = 86_400_000;

function withPaths(body: (paths: SnapshotPaths) => void): void {
  const root = mkdtempSync(join(tmpdir(), "run-settings-"));
  try {
    body(new SnapshotPaths(join(root, "session-snapshot")));
  } finally {
    rmSync(root, { recursive: true });
  }
}

function age(path: string, milliseconds: number): void {
  const time = new Date(Date.now() - milliseconds);
  utimesSync(path, time, time);
}

test("only the user can read the file and its directory, and it can be removed", () => {
  withPaths((paths) => {
    const path = writeRunSettings(paths, "{}");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(paths.runSettings).mode & 0o777).toBe(0o700);
    expect(removeRunSettings(path)).toBe(true);
    expect(readdirSync(paths.runSettings)).toEqual([]);
  });
});

test("a sweep removes old files of dead processes, and keeps those of running ones and young ones", () => {
  withPaths((paths) => {
    const own = writeRunSettings(paths, "{}");
    const [pid = "", hash = "", ...rest] = own.slice(paths.runSettings.length + 1).split("-");
    // The same pid, but another process.
    const reused = join(paths.runSettings, [pid, "0".repeat(hash.length), ...rest].join("-"));
    const young = join(paths.runSettings, [pid, "1".repeat(hash.length), ...rest].join("-"));
    const foreign = join(paths.runSettings, "notes.txt");
    for (const path of [reused, young, foreign]) writeFileSync(path, "{}");
    for (const path of [own, reused, foreign]) age(path, 2 * day);
    sweepRunSettings(paths, Date.now());
    expect([own, reused, young, foreign].map((path) => existsSync(path))).toEqual([true, false, true, true]);
  });
});

test("a sweep without the directory does nothing", () => {
  withPaths((paths) => expect(() => sweepRunSettings(paths, Date.now())).not.toThrow());
});
