import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeDirectory } from "../../../src/io/durable/durable.ts";
import { findFrames } from "../../../src/store/packing/find-frames.ts";
import { loadAndHeal } from "../../../src/store/snapshots/generations.ts";
import { mirrorHash, withPlainMirror } from "../../../src/store/snapshots/mirror.ts";
import { lookAtMirror } from "../../../src/store/snapshots/mirrored-size.ts";
import { packMirror, presentPlace, removeSurplus, unpackMirror } from "../../../src/store/packing/packing.ts";
import { type Generation, viewSession } from "../../../src/store/snapshots/session-view.ts";
import { SnapshotPaths } from "../../../src/store/snapshots/snapshot-paths.ts";
import { parseState, type SnapshotState } from "../../../src/store/snapshots/snapshot-state.ts";
import { appendSnapshot } from "../../../src/store/snapshots/snapshots.ts";

const id = "session";
const frame = 4 * 1024 * 1024;
const now = 1_700_000_000_000;

let directory: string;
let transcript: string;
let paths: SnapshotPaths;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "packing-"));
  transcript = join(directory, "transcript.jsonl");
  paths = new SnapshotPaths(join(directory, "root"));
  makeDirectory(paths.root);
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Adds whole lines, exactly `bytes` of them, half of it hard to compress, and takes a snapshot. */
function snapshot(bytes: number): SnapshotState {
  const text = Buffer.from(crypto.getRandomValues(new Uint8Array(Math.ceil(bytes / 4)))).toString("hex");
  const line = `${"the same again and again ".repeat(4)}\n`;
  let content = "";
  for (let at = 0; content.length < bytes; at += 100) content += `${text.slice(at, at + 100)}\n${line}`;
  appendFileSync(transcript, `${content.slice(0, bytes - 1)}\n`);
  const isMarkDue = (copied: number, marked: number): boolean => copied > marked;
  const input = { transcriptPath: transcript, cwd: undefined, reason: "test", now, isMarkDue, describe: () => facts };
  appendSnapshot(paths, id, input);
  return state();
}

const facts = { contextTokens: null, lastStep: null };
const mirror = (): string => paths.mirror(id);
const packed = (): string => `${mirror()}.zst`;
const names = (): string[] => readdirSync(paths.snapshots).filter((name) => name !== "latest.json");

function state(): SnapshotState {
  const parsed = parseState(readFileSync(paths.state(id), "utf8"), id);
  if (!parsed) throw new Error("the state cannot be read");
  return parsed;
}

function pack(): void {
  expect(packMirror(presentPlace(paths, id), state())).toBe(statSync(packed()).size);
}

function generations(): Generation[] {
  const view = viewSession(paths, id);
  if (!view) throw new Error("no readable snapshot");
  return view.generations;
}

describe("packing and unpacking", () => {
  const sizes = [2, 100_000, frame - 1, frame, frame + 1, 2 * frame + 12_345];

  test.each(sizes)("%d bytes", (bytes) => {
    const before = snapshot(bytes);
    const plain = readFileSync(mirror());
    pack();
    expect(names().sort()).toEqual([`${id}.jsonl.zst`, `${id}.state.json`]);
    const { packed: cut, ...rest } = state();
    expect<object>(rest).toEqual(before);
    expect(cut?.frames).toHaveLength(Math.ceil(bytes / frame));
    // Any zstd can read it.
    expect(Buffer.from(Bun.zstdDecompressSync(readFileSync(packed()))).equals(plain)).toBe(true);
    expect(findFrames(packed())).toEqual(cut ?? { frame: 0, frames: [] });

    expect(unpackMirror(presentPlace(paths, id), state())).toEqual(before);
    expect(state()).toEqual(before);
    expect(names().sort()).toEqual([`${id}.jsonl`, `${id}.state.json`]);
    expect(readFileSync(mirror()).equals(plain)).toBe(true);
  });

  test.skipIf(Bun.which("zstd") === null)("the zstd program can read it", () => {
    snapshot(frame + 1_000);
    const plain = readFileSync(mirror());
    pack();
    const { stdout, exitCode } = Bun.spawnSync(["zstd", "-dc", packed()]);
    expect(exitCode).toBe(0);
    expect(stdout.equals(plain)).toBe(true);
  });

  test("handles a file of one repeated byte, which zstd encodes differently", () => {
    writeFileSync(transcript, `${"a".repeat(frame + 500_000)}\n`);
    snapshot(10);
    const plain = readFileSync(mirror());
    pack();
    expect(findFrames(packed())).toEqual(state().packed ?? { frame: 0, frames: [] });
    loadAndHeal(paths, id, transcript, now);
    expect(readFileSync(mirror()).equals(plain)).toBe(true);
  });

  test("does not pack an unacknowledged tail of the mirror", () => {
    const { size } = snapshot(10_000);
    appendFileSync(mirror(), "never acknowledged");
    pack();
    expect(Bun.zstdDecompressSync(readFileSync(packed())).length).toBe(size);
  });

  test("overwrites a leftover of a kill", () => {
    const before = snapshot(10_000);
    writeFileSync(packed(), "half of one");
    writeFileSync(join(paths.snapshots, `.${id}.jsonl.zst.tmp-0-0`), "x".repeat(50_000));
    writeFileSync(join(paths.snapshots, `.${id}.jsonl.tmp-0-0`), "x".repeat(50_000));
    pack();
    expect(loadAndHeal(paths, id, transcript, now)).toEqual({ state: before, ended: undefined });
    expect(names().sort()).toEqual([`${id}.jsonl`, `${id}.state.json`]);
  });
});

describe("readers of a packed session", () => {
  test("know the size without unpacking", async () => {
    const { size } = snapshot(100_000);
    pack();
    expect(await lookAtMirror(paths, id)).toEqual({ size, time: 0, doubtful: false });
    expect(existsSync(mirror())).toBe(false);
    expect(await lookAtMirror(paths, "unknown")).toEqual({ size: 0, time: 0, doubtful: false });
  });

  test("can hash every mark and read it as a plain file, and it stays packed", () => {
    snapshot(100_000);
    snapshot(frame);
    snapshot(70_000);
    const plain = readFileSync(mirror());
    pack();
    const [present] = generations();
    if (!present) throw new Error("no generation");
    for (const { size, hash } of present.marks) {
      expect(mirrorHash(present, size)).toBe(hash);
      withPlainMirror(present, size, (path) => {
        expect(readFileSync(path).equals(plain.subarray(0, size))).toBe(true);
      });
    }
    expect(present.marks).toHaveLength(3);
    expect(names().sort()).toEqual([`${id}.jsonl.zst`, `${id}.state.json`]);
  });

  test("the next snapshot continues in the same generation", () => {
    snapshot(frame + 5);
    pack();
    const next = snapshot(1_000);
    expect(next).toMatchObject({ generation: 1, count: 2, size: frame + 1_005 });
    expect(next.packed).toBeUndefined();
    expect(readFileSync(mirror()).equals(readFileSync(transcript))).toBe(true);
    expect(existsSync(packed())).toBe(false);
  });
});

describe("damage", () => {
  test("does not pack a changed mirror", () => {
    snapshot(100_000);
    flip(mirror(), 50_000);
    const before = names().sort();
    expect(packMirror(presentPlace(paths, id), state())).toBeUndefined();
    expect(names().sort()).toEqual(before);
    expect(state().packed).toBeUndefined();
  });

  test("in a later frame: earlier bytes stay readable, and a new generation starts", () => {
    snapshot(100_000);
    snapshot(frame + 100_000);
    pack();
    flip(packed(), statSync(packed()).size - 20_000);
    const loaded = loadAndHeal(paths, id, transcript, now);
    expect(loaded).toMatchObject({ ended: "damaged", state: { generation: 2, size: 0 } });
    const [past, present] = generations();
    if (!past) throw new Error("the damaged one is gone");
    const [first, second] = past.marks;
    expect(mirrorHash(past, first?.size ?? 0)).toBe(first?.hash ?? "");
    expect(mirrorHash(past, second?.size ?? 0)).not.toBe(second?.hash ?? "");
    expect(present?.marks).toEqual([]);
  });

  test("the packed file is gone: a new generation starts, and the next snapshot copies everything", () => {
    snapshot(100_000);
    pack();
    rmSync(packed());
    expect(snapshot(500)).toMatchObject({ generation: 2, size: 100_500 });
  });

  test("the state is lost: the packed bytes are adopted as a generation", () => {
    snapshot(2 * frame + 77);
    const plain = readFileSync(mirror());
    pack();
    writeFileSync(paths.state(id), "{ torn");
    expect(loadAndHeal(paths, id, transcript, now)).toMatchObject({ ended: "unreadable-state" });
    expect(readFileSync(paths.pastMirror(id, 1)).equals(plain)).toBe(true);
    rmSync(paths.state(id));
  });

  test("the state is lost and the packed file is truncated: complete frames are adopted, the rest is set aside", () => {
    snapshot(2 * frame + 77);
    const plain = readFileSync(mirror());
    pack();
    const cut = readFileSync(packed()).subarray(0, (state().packed?.frames[0] ?? 0) + 1_000);
    writeFileSync(packed(), cut);
    rmSync(paths.state(id));
    rmSync(transcript);
    loadAndHeal(paths, id, transcript, now);
    const adopted = readFileSync(paths.pastMirror(id, 1));
    expect(adopted.equals(plain.subarray(0, frame))).toBe(true);
    expect(generations()[0]?.size).toBeGreaterThan(frame - 1_000);
    expect(readFileSync(`${packed()}.broken`).equals(cut)).toBe(true);
  });

  test("an invalid index makes the state unreadable", () => {
    snapshot(100_000);
    pack();
    const good = state();
    for (const wrong of [{}, null, 1, { frame: 0, frames: [1] }, { frame, frames: [1, 2] }, { frame, frames: [-1] }]) {
      expect(parseState(JSON.stringify({ ...good, packed: wrong }), id)).toBeUndefined();
    }
    expect(parseState(JSON.stringify(good), id)).toEqual(good);
  });
});

describe("both files exist, as after a kill", () => {
  test("the state says packed: removes the plain file, unless the packed one is damaged", () => {
    snapshot(100_000);
    copyFileSync(mirror(), `${mirror()}.copy`);
    pack();
    copyFileSync(`${mirror()}.copy`, mirror());
    const good = readFileSync(packed());
    flip(packed(), 1_000);
    removeSurplus(presentPlace(paths, id), state());
    expect(existsSync(mirror())).toBe(true);
    // And the plain one saves the day.
    expect(loadAndHeal(paths, id, transcript, now)).toMatchObject({ ended: undefined, state: { generation: 1 } });
    pack();
    copyFileSync(`${mirror()}.copy`, mirror());
    expect(readFileSync(packed()).equals(good)).toBe(true);
    removeSurplus(presentPlace(paths, id), state());
    expect(existsSync(mirror())).toBe(false);
    expect(existsSync(packed())).toBe(true);
  });

  test("the state says plain: removes the packed file, unless the plain one is damaged", () => {
    snapshot(100_000);
    writeFileSync(packed(), Bun.zstdCompressSync(readFileSync(mirror())));
    flip(mirror(), 1_000);
    removeSurplus(presentPlace(paths, id), state());
    expect(existsSync(packed())).toBe(true);
    flip(mirror(), 1_000);
    removeSurplus(presentPlace(paths, id), state());
    expect(existsSync(packed())).toBe(false);
    expect(existsSync(mirror())).toBe(true);
  });
});

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  writeFileSync(path, bytes);
}
