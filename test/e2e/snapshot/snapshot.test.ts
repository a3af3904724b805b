// Snapshots with the real client: installed hooks record a long task, then restore, undo and resume use the snapshot.
import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { executable } from "../../support/executable.ts";
import { type FakeAnthropic, fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import type { RecordedRequest } from "../../support/anthropic/recorded-request.ts";
import { callsTool, type Reply, says } from "../../support/anthropic/replies.ts";
import { createSandbox, type Sandbox } from "../../support/sandbox/sandbox.ts";
import { type Story, story } from "../../support/anthropic/scenario.ts";
import { SnapshotFiles } from "../../support/worlds/snapshot-files.ts";
import { blocksOf, readTranscript } from "../../support/transcripts/transcript-records.ts";
import { untilFile } from "../../support/until-file.ts";

const steps = 12;
const allSteps = Array.from({ length: steps }, (_, index) => index + 1);
const prompt = "Print a lot, twelve times";

/** About 28 kB, just below the size at which the client moves an output to a separate file. */
const output = (step: number): Reply =>
  callsTool(
    "Bash",
    { command: `i=0; while [ $i -lt 400 ]; do echo "step ${step} line $i ${"x".repeat(50)}"; i=$((i+1)); done` },
    { usage: { input: 1_000 * step } },
  );

/**
 * Delays the reply until the step before is in the transcript, which the client writes late, and until the expected marks
 * exist, so that the hooks of earlier steps have finished.
 */
const afterHooks =
  (files: SnapshotFiles, place: Place, step: number, reply: Reply): Reply =>
  async () => {
    if (step > 1) await untilFile(place.transcriptPath, (text) => text.includes(`step ${step - 1} line 0 `));
    // The first mark is due at 200 kB, which is the eighth call; every further call is large enough for another.
    const marks = { 8: 1, 10: 2, 12: 3 }[step] ?? 0;
    const enough = (text: string): boolean => (JSON.parse(text) as { count: number }).count >= marks;
    if (marks > 0) await untilFile(files.statePath(place.sessionId), enough);
    return reply;
  };

interface Place {
  sessionId: string;
  transcriptPath: string;
}

function longTask(files: SnapshotFiles, place: Place): Story {
  const replies = story();
  for (const step of allSteps) replies.answers(afterHooks(files, place, step, output(step)));
  return replies.answers(
    afterHooks(files, place, steps + 1, says("All twelve are printed.", { usage: { input: 13_000 } })),
  );
}

interface Finished {
  sandbox: Sandbox;
  files: SnapshotFiles;
  sessionId: string;
  transcriptPath: string;
  whole: Buffer;
}

async function runLongTask(api: FakeAnthropic, sandbox: Sandbox): Promise<Finished> {
  await sandbox.installBinaries(executable);
  const sessionId = randomUUID();
  const files = new SnapshotFiles(sandbox);
  const slug = sandbox.projectDir.replaceAll(/[^A-Za-z0-9]/g, "-");
  const transcriptPath = join(sandbox.configDir, "projects", slug, `${sessionId}.jsonl`);
  api.plays(longTask(files, { sessionId, transcriptPath }));
  const installed = await sandbox.run(["session-snapshot", "install"]);
  expect(installed.exitCode).toBe(0);
  const run = await sandbox.claude(api, ["-p", prompt, "--session-id", sessionId, "--dangerously-skip-permissions"], {
    env: { SESSION_SNAPSHOT_INTERVAL: "40000" },
  });
  expect(run).toEqual({ exitCode: 0, signal: null, stdout: "All twelve are printed.\n", stderr: "" });
  expect(api.unexpected).toBeEmpty();
  expect(await sandbox.transcripts()).toEqual([transcriptPath]);
  return { sandbox, files, sessionId, transcriptPath, whole: readFileSync(transcriptPath) };
}

/** Resumes the session; returns the request with the conversation that the model receives. */
async function resume(api: FakeAnthropic, { sandbox, sessionId }: Finished): Promise<RecordedRequest> {
  const before = api.mainRequests.length;
  api.plays(story().says("Continuing."));
  const run = await sandbox.claude(api, ["-p", "--resume", sessionId, "go on", "--dangerously-skip-permissions"]);
  expect(run).toMatchObject({ exitCode: 0, stdout: "Continuing.\n" });
  return api.request(before + 1);
}

/** The steps whose output the model receives. */
function stepsSeen(request: RecordedRequest): number[] {
  const seen = [...request.conversationText.matchAll(/^step (\d+) line 0 /gm)].map((match) => Number(match[1]));
  return [...new Set(seen)];
}

async function stepsIn(path: string): Promise<number[]> {
  const results = (await readTranscript(path))
    .filter(({ type }) => type === "user")
    .flatMap((record) => blocksOf(record));
  return results.flatMap(({ content }) => {
    const match = /step (\d+) line 0 /.exec(JSON.stringify(content) ?? "");
    return match ? [Number(match[1])] : [];
  });
}

forEachClaude((version) => {
  describe("a task of twelve tool calls with large outputs", () => {
    test("leaves an exact mirror, ordered marks and latest.json; restore, undo and resume keep every word", async () => {
      await using api = await fakeAnthropic();
      await using sandbox = await createSandbox({ claude: version });
      const finished = await runLongTask(api, sandbox);
      const { files, sessionId, transcriptPath, whole } = finished;

      const state = files.state(sessionId);
      const mirror = files.mirror(sessionId);
      expect(mirror.length).toBe(state.size);
      expect(whole.subarray(0, mirror.length).equals(mirror)).toBe(true);
      expect(stepsInText(mirror)).toEqual(allSteps);
      expect(state.generation).toBe(1);
      expect(state.marks.length).toBeGreaterThanOrEqual(4);
      expect(state.marks.map(({ n }) => n)).toEqual(state.marks.map((_, index) => index + 1));
      const sizes = state.marks.map(({ size }) => size);
      expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
      for (const { size } of state.marks) expect(mirror[size - 1]).toBe(0x0a);
      expect(state.marks[0]?.reason).toBe("PostToolUse");
      // 2.1.36 may write its last line after its last hook.
      expect([12_000, 13_000]).toContain(state.marks.at(-1)?.contextTokens ?? 0);
      expect(files.latest()).toMatchObject({
        sessionId,
        snapshotPath: files.mirrorPath(sessionId),
        jsonlPath: transcriptPath,
        snapshotSize: state.size,
      });

      const restored = await sandbox.run(["session-snapshot", "restore", "--to", "3"]);
      expect(restored).toMatchObject({ exitCode: 0, stdout: "" });
      // On a busy machine the mark may be in the middle of a tool call, and the restore then goes to the result before it.
      const cut = readFileSync(transcriptPath);
      expect(cut.length).toBeLessThanOrEqual(state.marks[2]?.size ?? 0);
      expect(cut.equals(whole.subarray(0, cut.length))).toBe(true);
      const kept = await stepsIn(transcriptPath);
      expect(kept.length).toBeGreaterThanOrEqual(4);
      expect(kept).toEqual(allSteps.slice(0, kept.length));
      const continued = await resume(api, finished);
      expect(stepsSeen(continued)).toEqual(kept);
      expect(continued.conversationText).toContain(prompt);
      // The client may append a reminder to the prompt.
      expect(continued.conversationText.slice(-5_000)).toContain("go on");

      // Claude has continued since the restore.
      const refused = await sandbox.run(["session-snapshot", "undo"]);
      expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("since the restore") });
      const undone = await sandbox.run(["session-snapshot", "undo", "--force"]);
      expect(undone).toMatchObject({ exitCode: 0, stdout: "" });
      expect(readFileSync(transcriptPath).equals(whole)).toBe(true);
      expect(stepsSeen(await resume(api, finished))).toEqual(allSteps);
      expect(sandbox.outsideAttempts.filter((attempt) => !/api\.anthropic\.com/.test(attempt))).toBeEmpty();
    });

    test("can be restored after its transcript was deleted, and a stub that overwrote it is kept as well", async () => {
      await using api = await fakeAnthropic();
      await using sandbox = await createSandbox({ claude: version });
      const finished = await runLongTask(api, sandbox);
      const { files, sessionId, transcriptPath, whole } = finished;
      const mirror = files.mirror(sessionId);
      const last = files.state(sessionId).marks.at(-1)?.n ?? 0;

      rmSync(transcriptPath);
      expect(await sandbox.run(["session-snapshot", "restore", sessionId])).toMatchObject({ exitCode: 0 });
      expect(readFileSync(transcriptPath).equals(mirror)).toBe(true);
      expect(stepsSeen(await resume(api, finished))).toEqual(allSteps);

      const stub = '{"type":"summary","summary":"gone","leafUuid":"x"}\n';
      writeFileSync(transcriptPath, stub);
      const payload = { session_id: sessionId, transcript_path: transcriptPath, hook_event_name: "Stop" };
      await sandbox.run(["session-snapshot", "hook"], { stdin: JSON.stringify(payload) });
      const status = await sandbox.run(["session-snapshot", "status"]);
      expect(status.stdout).toMatch(/! the transcript became shorter at .* generation 1 keeps/);
      const stubMark = files.state(sessionId).count;
      expect(await sandbox.run(["session-snapshot", "restore", "--to", String(last)])).toMatchObject({ exitCode: 0 });
      expect(readFileSync(transcriptPath).equals(whole.subarray(0, mirror.length))).toBe(true);
      expect(await sandbox.run(["session-snapshot", "restore", "--to", String(stubMark)])).toMatchObject({
        exitCode: 0,
      });
      expect(readFileSync(transcriptPath, "utf8")).toBe(stub);
      expect(await sandbox.run(["session-snapshot", "undo"])).toMatchObject({ exitCode: 0 });
      expect(stepsSeen(await resume(api, finished))).toEqual(allSteps);
    });
  });
});

function stepsInText(bytes: Buffer): number[] {
  const seen = [...bytes.toString().matchAll(/step (\d+) line 0 /g)].map((match) => Number(match[1]));
  return [...new Set(seen)];
}
