import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { recentProblems } from "../../src/app/hook-log.ts";
import { prepareResume, type Readiness } from "../../src/app/prepare-resume.ts";
import { storedTranscript } from "../support/stored-transcript.ts";
import { TranscriptWorld } from "../support/transcript-world.ts";

const whole = readFileSync(storedTranscript("2.1.325"));

/** As it was left when its claude ended, unless another size is given. */
const prepare = (world: TranscriptWorld, sizeAtEnd = world.read().length): Promise<Readiness> =>
  prepareResume(world.environment, { id: world.sessionId, transcriptPath: world.path }, sizeAtEnd);

test("a transcript that is whole and nobody else's is ready, and stays as it is", async () => {
  using world = new TranscriptWorld(whole);
  expect(await prepare(world)).toBe("ready");
  expect(world.read().equals(whole)).toBe(true);
});

test("one that has grown, or shrunk, since its claude ended is somebody else's", async () => {
  using world = new TranscriptWorld(whole);
  for (const size of [whole.length - 1, whole.length + 1]) expect(await prepare(world, size)).toBe("went-on-elsewhere");
});

test("one that a running claude holds is somebody else's", async () => {
  using world = new TranscriptWorld(whole);
  const sessions = join(world.home, ".claude/sessions");
  mkdirSync(sessions);
  const held = JSON.stringify({ pid: process.pid, sessionId: world.sessionId });
  writeFileSync(join(sessions, `${process.pid}.json`), held);
  expect(await prepare(world)).toBe("went-on-elsewhere");
});

test("a torn end is mended", async () => {
  using world = new TranscriptWorld(Buffer.concat([whole, Buffer.from('{"type":"assis')]));
  expect(await prepare(world)).toBe("repaired");
  expect(world.verify().damaged).toBe(false);
});

test("what somebody may have taken out on purpose is not put back", async () => {
  using world = new TranscriptWorld(whole);
  world.snapshot();
  // Cut where claude itself has noted the end, and gone on with.
  const lines = whole.toString().split("\n").slice(0, 40);
  const { uuid } = JSON.parse(lines.at(-2) ?? "") as { uuid: string };
  const further = { parentUuid: uuid, isSidechain: false, type: "user", uuid: "new", message: { content: "Go on" } };
  const shortened = `${[...lines, JSON.stringify(further)].join("\n")}\n`;
  world.write(shortened);
  expect(world.verify().defects.map(({ kind }) => kind)).toContain("lost-records");
  expect(await prepare(world)).toBe("ready");
  expect(world.read().toString()).toBe(shortened);
});

test("what cannot be mended is resumed as it is, and doctor and status tell of it", async () => {
  using world = new TranscriptWorld(Buffer.concat([whole, Buffer.from('{"type":"assis')]));
  const { locks, root } = world.environment.paths;
  mkdirSync(root, { recursive: true });
  writeFileSync(locks, "a file where a directory belongs");
  expect(await prepare(world)).toBe("ready");
  expect(recentProblems(world.environment)).toEqual([
    expect.stringMatching(`session ${world.sessionId} is resumed as it is: cannot`),
  ]);
});
