import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { repairBeforeResume, type ResumeCondition } from "../../../src/app/repair/repair-before-resume.ts";
import { storedTranscript } from "../../support/transcripts/stored-transcript.ts";
import { TranscriptWorld } from "../../support/worlds/transcript-world.ts";

const whole = readFileSync(storedTranscript("2.1.326"));

const repair = ({ environment, path, sessionId }: TranscriptWorld): Promise<ResumeCondition> =>
  repairBeforeResume(environment, { path, sessionId, isOwn: true });

test("leaves a whole transcript unchanged", async () => {
  using world = new TranscriptWorld(whole);
  expect(await repair(world)).toBe("whole");
  expect(world.read().equals(whole)).toBe(true);
});

test("repairs a torn end", async () => {
  using world = new TranscriptWorld(Buffer.concat([whole, Buffer.from('{"type":"assis')]));
  expect(await repair(world)).toBe("repaired");
  expect(world.verify().damaged).toBe(false);
});

test("refills an emptied transcript from its snapshot: the user did not remove everything on purpose", async () => {
  using world = new TranscriptWorld(whole);
  world.snapshot();
  world.write("");
  expect(await repair(world)).toBe("repaired");
  expect(world.read().length).toBeGreaterThan(0);
});

test("reports an empty transcript without a snapshot, and leaves it", async () => {
  using world = new TranscriptWorld(Buffer.alloc(0));
  expect(await repair(world)).toBe("empty");
  expect(world.read().length).toBe(0);
});
