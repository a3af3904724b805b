import { expect, test } from "bun:test";
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Journal, readJournal } from "../../../src/store/runs/journal.ts";

async function withJournal(work: (path: string) => void): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "air-journal-"));
  try {
    const path = join(directory, "journal.jsonl");
    const journal = new Journal(path);
    for (const step of ["first", "second", "third"]) journal.append(1_000, "step", { text: step });
    work(path);
  } finally {
    await rm(directory, { recursive: true });
  }
}

const steps = (path: string): unknown[] => readJournal(path).entries.map(({ text }) => text);

test("reads back what was appended, numbered, as plain JSON", () =>
  withJournal((path) => {
    expect(readJournal(path).size).toBe(readFileSync(path).length);
    expect(readJournal(path).entries.map(({ n, text }) => [n, text])).toEqual([
      [1, "first"],
      [2, "second"],
      [3, "third"],
    ]);
  }));

test("ignores a tail torn at any byte, and the next append replaces it", () =>
  withJournal((path) => {
    const whole = readFileSync(path);
    const second = whole.indexOf('"second"');
    const end = whole.indexOf("\n", second) + 1;
    for (let cut = end; cut < whole.length; cut++) {
      writeFileSync(path, whole.subarray(0, cut));
      expect(steps(path)).toEqual(["first", "second"]);
      new Journal(path).append(2_000, "step", { text: "anew" });
      expect(steps(path)).toEqual(["first", "second", "anew"]);
      expect(readJournal(path).size).toBe(readFileSync(path).length);
    }
  }));

test("ignores a block of NULs after a power cut", () =>
  withJournal((path) => {
    appendFileSync(path, Buffer.alloc(4_096));
    new Journal(path).append(2_000, "step", { text: "anew" });
    expect(steps(path)).toEqual(["first", "second", "third", "anew"]);
  }));

test("a changed byte invalidates only its own line", () =>
  withJournal((path) => {
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace('"second"', '"seconD"'));
    expect(steps(path)).toEqual(["first", "third"]);
    new Journal(path).append(2_000, "step", { text: "anew" });
    expect(readJournal(path).entries.at(-1)).toMatchObject({ n: 4, text: "anew" });
  }));

test("reads no entries from an empty or missing journal", () =>
  withJournal((path) => {
    truncateSync(path, 0);
    expect(readJournal(path)).toEqual({ entries: [], size: 0 });
    expect(readJournal(`${path}.none`)).toEqual({ entries: [], size: 0 });
  }));
