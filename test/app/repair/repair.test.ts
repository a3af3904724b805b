// A repair uses the transcript's own records first, then its snapshot's, and never another session's.
import { describe, expect, test } from "bun:test";
import { appendFileSync, readFileSync } from "node:fs";
import { setParent } from "../../../src/claude/repair/set-parent.ts";
import { targetOfSession } from "../../../src/app/session/choose-transcript.ts";
import { repairTranscript } from "../../../src/app/repair/repair.ts";
import { restoreSession } from "../../../src/app/snapshot/restore.ts";
import { storedTranscript } from "../../support/transcripts/stored-transcript.ts";
import type { TranscriptRecord } from "../../support/transcripts/transcript-records.ts";
import { TranscriptWorld } from "../../support/worlds/transcript-world.ts";

const whole = readFileSync(storedTranscript("2.1.326"), "utf8");
const lines = whole.split("\n").filter(Boolean);
const file = (chosen: readonly string[]): string => chosen.map((line) => `${line}\n`).join("");
const records = (text: Buffer): TranscriptRecord[] =>
  text
    .toString()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as TranscriptRecord);
const next = (parent: string, text: string): string =>
  JSON.stringify({
    parentUuid: parent,
    isSidechain: false,
    type: "user",
    uuid: `new-${text}`,
    message: { role: "user", content: text },
  });

describe("a transcript that was cut and then continued", () => {
  // Ends at claude's own end note.
  const cut = lines.slice(0, 40);
  const leaf = (JSON.parse(cut.at(-2) ?? "") as TranscriptRecord).uuid ?? "";
  const content = file([...cut, next(leaf, "went on")]);
  /** The recovered part contains an end note that is no longer at the end. */
  const expectWholeWithNewEnd = (repaired: string): void => {
    const before = file([...lines, next(leaf, "went on")]);
    expect(repaired).toStartWith(before);
    expect(records(Buffer.from(repaired.slice(before.length)))).toMatchObject([
      { type: "last-prompt", leafUuid: "new-went on" },
    ]);
  };

  test("gets the lost records back, and keeps the new records at the end", async () => {
    using world = new TranscriptWorld(whole);
    world.snapshot();
    world.write(content);
    const { defects } = world.verify();
    expect(defects.filter(({ severity }) => severity === "damage").map(({ kind }) => kind)).toEqual(["lost-records"]);
    await world.repair();
    expectWholeWithNewEnd(world.read().toString());
  });

  test("is repaired even after the hook has snapshotted the cut version", async () => {
    using world = new TranscriptWorld(whole);
    world.snapshot();
    world.write(content);
    world.snapshot();
    expect(world.verify()).toMatchObject({ damaged: true, repairable: true });
    await world.repair();
    expectWholeWithNewEnd(world.read().toString());
    expect(world.verify().damaged).toBe(false);
  });

  test("does not get back records that a restore discarded", async () => {
    using world = new TranscriptWorld(file(cut));
    world.snapshot();
    world.write(whole);
    world.snapshot();
    const choice = { kind: "number", n: 1 } as const;
    await restoreSession(world.environment, { sessionId: world.sessionId, choice, force: false });
    expect(world.read().toString()).toBe(file(cut));
    expect(world.verify().damaged).toBe(false);
    world.write(`${file(cut)}{"uuid":"torn`);
    await world.repair();
    expect(world.read().toString()).toBe(file(cut));
  });
});

test("refuses a transcript that another process is writing to", async () => {
  using world = new TranscriptWorld(`${whole}{"torn`);
  const target = targetOfSession(world.environment, world.sessionId);
  // The repair reads the clock after planning and before the backup.
  const now = (): number => {
    appendFileSync(world.path, "x");
    return Date.now();
  };
  const repairing = repairTranscript({ ...world.environment, now }, { target, force: false, dryRun: false });
  await expect(repairing).rejects.toThrow("is being written to; nothing was changed");
  expect(world.read().toString()).toStartWith(`${whole}{"tornx`);
});

test("does not use another conversation that has the same id", async () => {
  using world = new TranscriptWorld(whole);
  world.snapshot();
  const stranger = file([next("unknown", "one"), "torn"]);
  world.write(stranger);
  await world.repair();
  expect(records(world.read()).map(({ uuid, parentUuid }) => [uuid, parentUuid])).toEqual([["new-one", null]]);
});

test("does not use a copy that has changed since its mark", async () => {
  using world = new TranscriptWorld(whole);
  world.snapshot();
  const mirror = world.environment.paths.mirror(world.sessionId);
  await Bun.write(mirror, whole.replace("Write the notes", "Wrote the notes"));
  world.write(file(lines.slice(0, -20)));
  expect(world.verify().damaged).toBe(false);
});

test("relinks a prompt without a parent only when the snapshot has its parent", async () => {
  const prompt = lines.findIndex((line) => line.includes("Go on from the notes") && line.includes('"parentUuid":"'));
  const orphaned = file(lines.with(prompt, setParent(lines[prompt] ?? "", null)));
  using world = new TranscriptWorld(orphaned);
  expect(world.verify().damaged).toBe(false);
  world.write(whole);
  world.snapshot();
  world.write(orphaned);
  expect(world.verify().damaged).toBe(true);
  await world.repair();
  expect(world.read().toString()).toBe(whole);
});

test("only hashes a clean transcript the next time, until one byte changes", () => {
  const large = file(Array.from({ length: 5_000 }, (_, index) => bulky(index)));
  using world = new TranscriptWorld(large);
  const first = world.verify();
  expect(first).toMatchObject({ damaged: false, records: 5_000 });
  expect(world.verify()).toEqual(first);
  const remembered = readFileSync(world.environment.paths.verified, "utf8");
  expect(remembered).toContain(world.path);
  world.write(`${large.slice(0, 2_000_000)}\0${large.slice(2_000_001)}`);
  expect(world.verify()).toMatchObject({ damaged: true });
  world.write(`${large}${bulky(5_000)}\n`);
  expect(world.verify()).toMatchObject({ damaged: false, records: 5_001 });
});

const bulky = (index: number): string =>
  JSON.stringify({
    parentUuid: index === 0 ? null : `id-${index - 1}`,
    type: "user",
    uuid: `id-${index}`,
    message: { content: "x".repeat(900) },
  });

describe("a changed parent link", () => {
  test.each([
    ['{"parentUuid":"a","uuid":"b"}', '{"parentUuid":"new","uuid":"b"}'],
    ['{"parentUuid":null,"uuid":"b"}', '{"parentUuid":"new","uuid":"b"}'],
    ['{ "uuid" : "b", "parentUuid" : "a" }', '{ "uuid" : "b", "parentUuid" : "new" }'],
    ['{"x":{"parentUuid":"a"},"parentUuid":"b"}', '{"x":{"parentUuid":"a"},"parentUuid":"new"}'],
    ['{"x":"\\"parentUuid\\":\\"a\\"","parentUuid":"b"}', '{"x":"\\"parentUuid\\":\\"a\\"","parentUuid":"new"}'],
    ['{"x":"parentUuid","parentUuid":"b"}', '{"x":"parentUuid","parentUuid":"new"}'],
    ['{"uuid":"b"}', '{"parentUuid":"new","uuid":"b"}'],
  ])("%s", (before, after) => {
    expect(setParent(before, "new")).toBe(after);
  });
});

test("does not treat a transcript as a stub when its only conversation is on one damaged line", async () => {
  const first = lines.findIndex((line) => (JSON.parse(line) as TranscriptRecord).type === "user");
  const left = lines.slice(0, first + 1);
  using world = new TranscriptWorld(left.join(""));
  expect(world.verify()).toMatchObject({ damaged: true, repairable: true, defects: [{ kind: "glued-records" }] });
  await world.repair();
  expect(world.read().toString()).toBe(file(left));
});
