// Whatever happens to a transcript: after a repair every record that was not hit is there, and all hang together.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import { setParent } from "../../src/claude/set-parent.ts";
import { Failure } from "../../src/core/failure.ts";
import { claudeVersions } from "../support/claude-versions.ts";
import { severalDamages } from "../support/any-damage.ts";
import { applyDamage, linesOf } from "../support/damage.ts";
import { storedTranscript } from "../support/stored-transcript.ts";
import type { TranscriptRecord } from "../support/transcript-records.ts";
import { TranscriptWorld } from "../support/transcript-world.ts";

setDefaultTimeout(60_000);

const parse = (line: Buffer): TranscriptRecord => JSON.parse(line.toString()) as TranscriptRecord;
const withoutEnd = (line: Buffer): Buffer => (line.at(-1) === 0x0a ? line.subarray(0, -1) : line);

/** The same, but for the one link that a repair may change. */
function isSameRecord(one: Buffer, other: Buffer): boolean {
  if (one.equals(other)) return true;
  const { parentUuid } = parse(one);
  return parentUuid !== undefined && setParent(other.toString(), parentUuid) === one.toString();
}

function expectWhole(repaired: Buffer, survivors: readonly Buffer[]): void {
  const lines = linesOf(repaired).map(withoutEnd);
  // A flipped NUL can become a blank around a record, which hurts nobody.
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

/** From the leaf, and from every other record, the parents lead to a beginning. */
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

/** True when it was repaired, or was clean; false when it cannot be. */
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

  test("without a snapshot: every record that was not hit survives, and the leaf leads to the root", async () => {
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
  }, 120_000);

  test("with a snapshot: every record comes back byte for byte", async () => {
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
        // One that was hit and is still a valid record, in its place, is kept as it is: it may have been meant.
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
  }, 120_000);
});
