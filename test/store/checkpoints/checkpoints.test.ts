import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Checkpoint, emptyCheckpoint } from "../../../src/core/checkpoint/checkpoint.ts";
import { mergeSave } from "../../../src/core/checkpoint/checkpoint-save.ts";
import {
  type CheckpointPlaces,
  listPastCheckpoints,
  loadLatest,
  loadPastOf,
  saveCheckpoint,
} from "../../../src/store/checkpoints/checkpoints.ts";

const directory = "/project";
const checkpointOf = (sessionId: string, now: number, where = directory): Checkpoint =>
  mergeSave(undefined, { by: "user", sessionId, directory: where, now, words: { goal: sessionId } }).checkpoint;

let root: string;
let shared: string;
const placesOf = (project: string): CheckpointPlaces => ({ memory: join(root, "projects", project, "memory"), shared });

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "air-checkpoints-")));
  shared = join(root, "checkpoints");
});

afterEach(() => rmSync(root, { recursive: true }));

test("keeps the newest fifty replaced checkpoints, regardless of their names", () => {
  // Later ones come earlier in the alphabet.
  const all = Array.from({ length: 54 }, (_, n) => checkpointOf(`s${90 - n}`, 1_000 + n));
  for (const [n, checkpoint] of all.entries()) saveCheckpoint(placesOf("p"), checkpoint, all[n - 1] ?? null);
  const past = listPastCheckpoints(shared).map(({ goal }) => goal ?? "");
  expect(past.toSorted()).toEqual(
    all
      .slice(3, 53)
      .map(({ goal }) => goal ?? "")
      .toSorted(),
  );
  expect(loadPastOf(shared, "s90", directory)).toBeUndefined();
  expect(loadPastOf(shared, "s40", directory)?.goal).toBe("s40");
  expect(loadPastOf(shared, "s40", "/another")).toBeUndefined();
  expect(loadLatest(shared)?.goal).toBe("s37");
});

test("an older or empty checkpoint does not become the newest of all", () => {
  saveCheckpoint(placesOf("a"), checkpointOf("work", 1_000, "/a"), null);
  saveCheckpoint(placesOf("b"), checkpointOf("earlier", 500, "/b"), null);
  saveCheckpoint(placesOf("c"), emptyCheckpoint("/c", "nothing", 2_000), null);
  expect(loadLatest(shared)?.goal).toBe("work");
  saveCheckpoint(placesOf("b"), checkpointOf("later", 3_000, "/b"), null);
  expect(loadLatest(shared)?.goal).toBe("later");
});
