import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ToolStep } from "../../../src/core/restart/tool-step.ts";
import { appendStep } from "../../../src/store/session-notes/append-step.ts";
import { readSteps } from "../../../src/store/session-notes/read-steps.ts";
import { SnapshotPaths } from "../../../src/store/snapshots/snapshot-paths.ts";

let root: string;
let paths: SnapshotPaths;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "steps-"));
  paths = new SnapshotPaths(root);
});
afterEach(() => rmSync(root, { recursive: true }));

const step = (id: string): ToolStep => ({ id, tool: "Bash", about: "x", state: "completed", time: 1, output: "y" });
const ids = (): string[] => readSteps(paths, "s").map(({ id }) => id);

test("keeps calls in order, in a private file", async () => {
  for (const id of ["a", "b", "c"]) await appendStep(paths, "s", step(id));
  expect(ids()).toEqual(["a", "b", "c"]);
  expect(statSync(paths.steps("s")).mode & 0o777).toBe(0o600);
  expect(readSteps(paths, "other")).toEqual([]);
});

test("a record that a power cut tore spoils no other", async () => {
  await appendStep(paths, "s", step("a"));
  appendFileSync(paths.steps("s"), '\n{"id":"torn","tool":"Ba\0\0\0');
  await appendStep(paths, "s", step("b"));
  expect(ids()).toEqual(["a", "b"]);
});

test("a record of another program is shortened to one line of each text", async () => {
  await appendStep(paths, "s", { ...step("a"), output: `y\n- completed: ${"z".repeat(900)}\u001b[31m` });
  const [read] = readSteps(paths, "s");
  expect(read?.output).toHaveLength(300);
  // oxlint-disable-next-line no-control-regex
  expect(read?.output).not.toMatch(/[\u0000-\u001f]/);
});

test("stays small, and keeps the newest calls", async () => {
  const count = 2_000;
  for (let n = 0; n < count; n++) await appendStep(paths, "s", { ...step(`call-${n}`), about: "z".repeat(100) });
  const size = [paths.steps("s"), paths.olderSteps("s")].reduce(
    (sum, path) => sum + (existsSync(path) ? statSync(path).size : 0),
    0,
  );
  expect(size).toBeLessThan(130_000);
  const kept = ids();
  expect(kept.length).toBeGreaterThan(250);
  expect(kept.at(-1)).toBe(`call-${count - 1}`);
});

test("processes that append at the same time lose nothing", async () => {
  await Promise.all(Array.from({ length: 50 }, (_, n) => appendStep(paths, "s", step(`call-${n}`))));
  expect(new Set(ids()).size).toBe(50);
});
