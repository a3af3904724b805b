import { afterAll, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { ensureConversation } from "../../../src/app/resume/ensure-conversation.ts";
import { holdByHost } from "../../support/worlds/hold-session.ts";
import { storedTranscript } from "../../support/transcripts/stored-transcript.ts";
import { TranscriptWorld } from "../../support/worlds/transcript-world.ts";

const whole = readFileSync(storedTranscript("2.1.326"));

/** A process that is neither ours nor our parent. */
const other = Bun.spawn(["sleep", "600"]);
afterAll(() => other.kill());

test("a lost conversation that a host holds is neither restored nor begun anew", async () => {
  using world = new TranscriptWorld(whole);
  rmSync(world.path);
  expect(await ensureConversation(world.environment, world.sessionId)).toEqual({ kind: "absent" });
  holdByHost(world.home, world.sessionId, other.pid, other.pid);
  expect(await ensureConversation(world.environment, world.sessionId)).toEqual({ kind: "open-elsewhere" });
});

test("a conversation that is there stays as it is, whatever holds it", async () => {
  using world = new TranscriptWorld(whole);
  holdByHost(world.home, world.sessionId, other.pid, other.pid);
  expect(await ensureConversation(world.environment, world.sessionId)).toEqual({ kind: "present" });
});
