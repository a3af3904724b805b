import { afterAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { recentProblems } from "../../../src/app/program-log.ts";
import { prepareResume, type Readiness } from "../../../src/app/resume/prepare-resume.ts";
import { identifyProcess } from "../../../src/io/process/process.ts";
import { holdByCclaude, holdByHost } from "../../support/worlds/hold-session.ts";
import { addRun } from "../../support/runs/scripted-claude.ts";
import { storedTranscript } from "../../support/transcripts/stored-transcript.ts";
import { TranscriptWorld } from "../../support/worlds/transcript-world.ts";

const whole = readFileSync(storedTranscript("2.1.326"));

/** A process that is neither ours nor our parent. */
const other = Bun.spawn(["sleep", "600"]);
afterAll(() => other.kill());

/** `sizeAtEnd`: the size of the transcript when its claude ended. */
const prepare = (world: TranscriptWorld, sizeAtEnd = world.read().length): Promise<Readiness> =>
  prepareResume(world.environment, { id: world.sessionId, transcriptPath: world.path }, sizeAtEnd);

test("leaves a whole transcript unchanged", async () => {
  using world = new TranscriptWorld(whole);
  expect(await prepare(world)).toBe("ready");
  expect(world.read().equals(whole)).toBe(true);
});

test("refuses a transcript that changed its size since its claude ended", async () => {
  using world = new TranscriptWorld(whole);
  for (const size of [whole.length - 1, whole.length + 1]) expect(await prepare(world, size)).toBe("went-on-elsewhere");
});

test("refuses a session that a running claude holds", async () => {
  using world = new TranscriptWorld(whole);
  const sessions = join(world.home, ".claude/sessions");
  mkdirSync(sessions);
  const held = JSON.stringify({ pid: process.pid, sessionId: world.sessionId });
  writeFileSync(join(sessions, `${process.pid}.json`), held);
  expect(await prepare(world)).toBe("went-on-elsewhere");
});

test.each<[string, () => number, Readiness]>([
  ["refuses a session that the supervisor of another run holds", () => other.pid, "went-on-elsewhere"],
  ["does not take the calling supervisor for another holder", () => process.pid, "ready"],
])("%s", async (_title, supervisor, expected) => {
  using world = new TranscriptWorld(whole);
  const places = { home: world.home, projectDir: world.home, configDir: join(world.home, ".claude") };
  const status = { phase: "recovering", supervisor: identifyProcess(supervisor()) ?? null } as const;
  addRun(places, "20261118-000000-abcd", status, { sessionId: world.sessionId });
  expect(await prepare(world)).toBe(expected);
});

test.each<[string, () => number, Readiness]>([
  ["refuses a session that another cclaude holds", () => other.pid, "went-on-elsewhere"],
  ["does not take the calling cclaude for another holder", () => process.pid, "ready"],
])("%s", async (_title, cclaude, expected) => {
  using world = new TranscriptWorld(whole);
  await holdByCclaude(world.environment.paths, world.sessionId, cclaude());
  expect(await prepare(world)).toBe(expected);
});

test.each<[string, () => number, Readiness]>([
  ["refuses a session that another host holds", () => other.pid, "went-on-elsewhere"],
  ["does not take the host of the calling cclaude for another holder", () => process.pid, "ready"],
])("%s", async (_title, program, expected) => {
  using world = new TranscriptWorld(whole);
  holdByHost(world.home, world.sessionId, other.pid, program());
  expect(await prepare(world)).toBe(expected);
});

test("repairs a torn end", async () => {
  using world = new TranscriptWorld(Buffer.concat([whole, Buffer.from('{"type":"assis')]));
  expect(await prepare(world)).toBe("repaired");
  expect(world.verify().damaged).toBe(false);
});

test("does not restore records that the user may have removed on purpose", async () => {
  using world = new TranscriptWorld(whole);
  world.snapshot();
  // Cut at an end that claude itself recorded, and continued from there.
  const lines = whole.toString().split("\n").slice(0, 40);
  const { uuid } = JSON.parse(lines.at(-2) ?? "") as { uuid: string };
  const further = { parentUuid: uuid, isSidechain: false, type: "user", uuid: "new", message: { content: "Go on" } };
  const shortened = `${[...lines, JSON.stringify(further)].join("\n")}\n`;
  world.write(shortened);
  expect(world.verify().defects.map(({ kind }) => kind)).toContain("lost-records");
  expect(await prepare(world)).toBe("ready");
  expect(world.read().toString()).toBe(shortened);
});

test("resumes a transcript that cannot be repaired as it is, and logs the problem", async () => {
  using world = new TranscriptWorld(Buffer.concat([whole, Buffer.from('{"type":"assis')]));
  const { locks, root } = world.environment.paths;
  mkdirSync(root, { recursive: true });
  writeFileSync(locks, "a file where a directory belongs");
  expect(await prepare(world)).toBe("ready");
  expect(recentProblems(world.environment)).toEqual([
    expect.stringMatching(`resuming session ${world.sessionId} as it is: cannot`),
  ]);
});
