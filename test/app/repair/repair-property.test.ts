// A repair of a randomly damaged transcript keeps every undamaged record, and all records form one chain.
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import { setParent } from "../../../src/claude/repair/set-parent.ts";
import { Failure } from "../../../src/core/failure.ts";
import { claudeVersions } from "../../support/sandbox/claude-versions.ts";
import { severalDamages } from "../../support/transcripts/any-damage.ts";
import { applyDamage, linesOf } from "../../support/transcripts/damage.ts";
import { storedTranscript } from "../../support/transcripts/stored-transcript.ts";
import type { TranscriptRecord } from "../../support/transcripts/transcript-records.ts";
import { TranscriptWorld } from "../../support/worlds/transcript-world.ts";

const parse = (line: Buffer): TranscriptRecord => JSON.parse(line.toString()) as TranscriptRecord;
const withoutEnd = (line: Buffer): Buffer => (line.at(-1) === 0x0a ? line.subarray(0, -1) : line);

/** Compares everything but the parent link, which a repair may change. */
function isSameRecord(one: Buffer, other: Buffer): boolean {
  if (one.equals(other)) return true;
  const { parentUuid } = parse(one);
  return parentUuid !== undefined && setParent(other.toString(), parentUuid) === one.toString();
}

function expectWhole(repaired: Buffer, survivors: readonly Buffer[]): void {
  const lines = linesOf(repaired).map(withoutEnd);
  // A flipped NUL can become whitespace around a record, which is harmless.
  const present = new Set(lines.map((line) => line.toString("latin1").trim()));
  const byId = new Map(lines.map((line) => [parse(line).uuid, line]));
  for (const survivor of survivors) {
    if (present.has(survivor.toString("latin1"))) continue;
    const other = byId.get(parse(survivor).uuid);
    expect([survivor.toString(), other !== undefined && isSameRecord(survivor, other)]).toEqual([
      survivor.toString(),
      true,
    ]);
  }
}

/** The parents of every record lead to a root. */
function expectOneTree(repaired: Buffer): void {
  const records = linesOf(repaired)
    .map((line) => parse(withoutEnd(line)))
    .filter(({ uuid }) => uuid !== undefined);
  const byId = new Map(records.map((record) => [record.uuid, record]));
  for (const start of records) {
    const way = new Set<TranscriptRecord>();
    let record: TranscriptRecord | undefined = start;
    while (record && !way.has(record)) {
      way.add(record);
      if (typeof record.parentUuid !== "string") break;
      record = byId.get(record.parentUuid);
    }
    expect([start.uuid, record?.parentUuid ?? null, record === undefined]).toEqual([start.uuid, null, false]);
  }
}

/** Returns true when the transcript is clean or repaired, and false when it cannot be repaired. */
async function repairs(world: TranscriptWorld): Promise<boolean> {
  try {
    await world.repair();
    return true;
  } catch (error) {
    if (error instanceof Failure && error.kind === "corrupt") return false;
    throw error;
  }
}

describe.each([...claudeVersions])("a transcript of Claude Code %s", (version) => {
  const original = readFileSync(storedTranscript(version));
  const originals = linesOf(original).map(withoutEnd);

  test("without a snapshot, keeps every undamaged record and a chain from the leaf to the root", async () => {
    await fc.assert(
      fc.asyncProperty(severalDamages, async (list) => {
        const damaged = list.reduce(applyDamage, original);
        using world = new TranscriptWorld(damaged);
        const survivors = originals.filter((line) => damaged.includes(line));
        if (!(await repairs(world))) {
          expect(survivors.filter((line) => ["user", "assistant"].includes(parse(line).type))).toBeEmpty();
          expect(world.read().equals(damaged)).toBe(true);
          return;
        }
        const repaired = world.read();
        expectWhole(repaired, survivors);
        expectOneTree(repaired);
        expect(world.verify().damaged).toBe(false);
        expect((await world.repair()).plan).toBeUndefined();
        expect(world.read().equals(repaired)).toBe(true);
        if (repaired.equals(damaged)) return;
        await world.undo();
        expect(world.read().equals(damaged)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test("with a snapshot, recovers every record byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(severalDamages, async (list) => {
        const damaged = list.reduce(applyDamage, original);
        using world = new TranscriptWorld(original);
        world.snapshot();
        world.write(damaged);
        expect(await repairs(world)).toBe(true);
        const repaired = world.read();
        const lines = linesOf(repaired).map(withoutEnd);
        const present = new Set(lines.map((line) => line.toString("latin1")));
        const ids = new Set(lines.map((line) => parse(line).uuid));
        // A damaged record that is still valid is kept, because the change may be intentional.
        const lost = originals.filter((line) => !present.has(line.toString("latin1")) && !ids.has(parse(line).uuid));
        expect(lost.map(String)).toEqual([]);
        expectWhole(
          repaired,
          originals.filter((line) => damaged.includes(line)),
        );
        expectOneTree(repaired);
        expect(world.verify().damaged).toBe(false);
        expect((await world.repair()).plan).toBeUndefined();
      }),
      { numRuns: 100 },
    );
  });
});
