// The final check before a repaired transcript replaces the old one.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { checkStaged } from "../../../src/app/repair/repaired-file.ts";
import { planRepair, type RepairPlan } from "../../../src/claude/repair/repair-plan.ts";
import { PieceReader } from "../../../src/claude/repair/transcript-piece.ts";
import { byteTools } from "../../../src/io/files/byte-tools.ts";
import { DurableError, replaceVerified } from "../../../src/io/durable/durable.ts";
import { TranscriptWorld } from "../../support/worlds/transcript-world.ts";

const record = (uuid: string, parentUuid: string | null): string =>
  `${JSON.stringify({ parentUuid, type: "user", uuid, message: { role: "user", content: uuid } })}\n`;
const content = record("a", null) + record("b", "a") + record("c", "b");

function planOf(text: string): RepairPlan {
  const reader = new PieceReader(0, byteTools);
  reader.feed(Buffer.from(text));
  return planRepair(reader.finish(), [], true);
}

test("accepts a file with every planned record", () => {
  using world = new TranscriptWorld(content);
  expect(() => checkStaged(world.path, planOf(content))).not.toThrow();
});

test.each([
  ["lacks a record", record("a", null) + record("b", "a"), "1 records are missing"],
  ["has one too many", content + record("d", "c"), "4 records instead of 3"],
  ["changed a record", content.replace('"content":"b"', '"content":"B"'), "1 records are missing"],
  ["is damaged", `${content}{"torn`, "an unfinished record of 6 bytes"],
])("refuses a file that %s", (_name, staged, problem) => {
  using world = new TranscriptWorld(staged);
  expect(() => checkStaged(world.path, planOf(content))).toThrow(problem);
});

test("a refused file leaves the old file unchanged and no temporary file", () => {
  using world = new TranscriptWorld("old");
  const part = { source: Buffer.from("new"), from: 0, to: 3 };
  const verify = (staged: string): void => {
    expect(readFileSync(staged, "utf8")).toBe("newnew");
    throw new Error("not this");
  };
  expect(() => replaceVerified(world.path, [part, part], { verify })).toThrow(DurableError);
  expect(world.read().toString()).toBe("old");
  expect(readdirSync(dirname(world.path))).toHaveLength(1);
});

test("does not replace a transcript that grows during the repair", async () => {
  using world = new TranscriptWorld(`${content}torn`);
  const { environment } = world;
  // The repair reads the clock for the backup: after planning, before the replacement.
  const now = environment.now;
  environment.now = () => {
    writeFileSync(world.path, `${content}torn and more`);
    return now();
  };
  await expect(world.repair()).rejects.toMatchObject({ kind: "locked" });
  expect(world.read().toString()).toBe(`${content}torn and more`);
});
