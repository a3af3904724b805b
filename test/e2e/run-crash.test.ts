// `ai-runtime run` when something dies: claude, its supervisor, both, or the user's patience.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSameProcess, type ProcessIdentity } from "../../src/io/process.ts";
import { restoredMark, skipPermissions } from "../support/cclaude.ts";
import { forEachClaude } from "../support/claude-versions.ts";
import { type FakeAnthropic, fakeAnthropic } from "../support/fake-anthropic.ts";
import { hangs, type Reply } from "../support/replies.ts";
import { airuntime, onlyRun, runSandbox, startAiRuntime, step, stepsDone, untilRun } from "../support/runs.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { story } from "../support/scenario.ts";
import { untilFile } from "../support/until-file.ts";
import { untilTranscript } from "../support/until-transcript.ts";

const held = { command: "touch held; python3 -c 'import time; time.sleep(600)'" };

/** A run that has done one step, said so in these words, and stopped at a limit; resumed, it will find that all is done. */
async function pauseAfterOneStep(sandbox: Sandbox, api: FakeAnthropic, saying: string): Promise<void> {
  api.plays(story().callsTool("Bash", step("one"), { saying }).fails.limit({ resetsInSeconds: 3_600, times: 2 }));
  const paused = await airuntime(sandbox, api, ["run", "Say it", "--no-wait", skipPermissions]);
  expect(paused.exitCode).toBe(75);
  api.plays(story().says("All done."));
}

forEachClaude((version) => {
  test("a claude that is killed in a tool call is resumed, and nothing is done twice", async () => {
    await using sandbox = await runSandbox(version);
    await using api = await fakeAnthropic(
      story().callsTool("Bash", step("one")).callsTool("Bash", held).callsTool("Bash", step("two")).says("All done."),
    );
    const run = startAiRuntime(sandbox, api, ["run", "Write two steps", skipPermissions]);
    await untilFile(join(sandbox.projectDir, "held"), () => true);
    const { child } = (await untilRun(sandbox, ({ status }) => status.phase === "working")).status;
    process.kill(child?.pid ?? 0, "SIGKILL");

    const ended = await run.finished;

    expect(ended).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(ended.stderr).toContain("! claude ended unexpectedly (SIGKILL); going on in ");
    expect(stepsDone(sandbox)).toEqual(["one", "two"]);
    expect(api.mainRequests.at(-2)?.lastText).toContain(restoredMark);
    expect(api.mainRequests.at(-1)?.conversationText).toContain("Write two steps");
    expect(new Set(api.mainRequests.map(({ sessionId }) => sessionId)).size).toBe(1);
  });

  test("supervisor and claude killed together: recover finishes the task", async () => {
    await using sandbox = await runSandbox(version);
    await using api = await fakeAnthropic(
      story()
        .callsTool("Bash", step("one"), { saying: "<!-- CHECKPOINT: one is written -->" })
        .answers(async () => {
          await untilTranscript(sandbox, `"content":"one"`);
          return hangs();
        })
        .callsTool("Bash", step("two"))
        .says("All done."),
    );
    const run = startAiRuntime(sandbox, api, ["run", "Write two steps", skipPermissions]);
    await api.request(2);
    await untilTranscript(sandbox, `"content":"one"`);
    const { plan, status } = onlyRun(sandbox);
    run.signal("SIGKILL");
    process.kill(status.child?.pid ?? 0, "SIGKILL");
    await run.exited;
    // As a kill in the middle of a write leaves it.
    writeFileSync(join(plan.directory, ".checkpoint.json.tmp-4711-0"), "{");

    // From another directory: the run has its own.
    const recovered = await airuntime(sandbox, api, ["recover"], { cwd: sandbox.home });

    expect(recovered).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(stepsDone(sandbox)).toEqual(["one", "two"]);
    expect(api.mainRequests.at(-2)?.lastText).toContain("Last completed step: one is written");
    expect(onlyRun(sandbox).status).toMatchObject({ phase: "done", steps: 1 });
    expect(readdirSync(plan.directory).sort()).toEqual(["checkpoint.json", "journal.jsonl", "output.log"]);
    expect(await airuntime(sandbox, api, ["recover"])).toMatchObject({ exitCode: 4, stdout: "" });
    expect(await airuntime(sandbox, api, ["resume", plan.id])).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining(`run ${plan.id} is done already; there is nothing to resume`),
    });
  });

  test("a supervisor that is killed alone: its claude is ended before another takes its place", async () => {
    await using sandbox = await runSandbox(version);
    await using api = await fakeAnthropic(story().callsTool("Bash", step("one")).hangs().says("All done."));
    const run = startAiRuntime(sandbox, api, ["run", "Write a step", skipPermissions]);
    await api.request(2);
    await untilTranscript(sandbox, `"content":"one"`);
    const { child } = onlyRun(sandbox).status;
    run.signal("SIGKILL");
    await run.exited;
    expect(isSameProcess(child as ProcessIdentity)).toBeTrue();

    const recovered = await airuntime(sandbox, api, ["recover"]);

    expect(recovered).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(isSameProcess(child as ProcessIdentity)).toBeFalse();
    expect(stepsDone(sandbox)).toEqual(["one"]);
  });

  test("Ctrl-C saves everything and ends with 130, and resume finishes", async () => {
    await using sandbox = await runSandbox(version);
    await using api = await fakeAnthropic(
      story().callsTool("Bash", step("one")).hangs().callsTool("Bash", step("two")).says("All done."),
    );
    const run = startAiRuntime(sandbox, api, ["run", "Write two steps", skipPermissions]);
    await api.request(2);
    await untilTranscript(sandbox, `"content":"one"`);
    run.signal("SIGINT");

    const stopped = await run.finished;

    const { plan, status } = onlyRun(sandbox);
    expect(stopped).toMatchObject({ exitCode: 130, stdout: "" });
    expect(stopped.stderr).toContain(`interrupted; everything is saved. Go on with: ai-runtime resume ${plan.id}\n`);
    expect(status).toMatchObject({ phase: "paused", cause: "interrupted" });
    expect(isSameProcess(status.child as ProcessIdentity)).toBeFalse();
    // Interrupted by the user is not dead.
    expect(await airuntime(sandbox, api, ["recover"])).toMatchObject({ exitCode: 4 });

    expect(await airuntime(sandbox, api, ["resume"])).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(stepsDone(sandbox)).toEqual(["one", "two"]);
  });

  test("killed again after an error that it had got over: the second half is not forgotten", async () => {
    // From 2.1.197 on claude goes by a note of where the conversation ended, which only a claude that lives on renews: an error
    // it notes as the end, and all that came after a restart is left out without a word.
    await using sandbox = await runSandbox(version);
    const killing =
      (text: string): Reply =>
      async () => {
        await untilTranscript(sandbox, `"content":"${text}"`);
        process.kill(onlyRun(sandbox).status.child?.pid ?? 0, "SIGKILL");
        return hangs();
      };
    await using api = await fakeAnthropic(
      story()
        .callsTool("Bash", step("one"))
        .fails.overloaded()
        .answers(killing("one"))
        .callsTool("Bash", step("two"))
        .answers(killing("two"))
        .says("All done."),
    );

    const run = await airuntime(sandbox, api, ["run", "Write two steps", skipPermissions]);

    expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(api.mainRequests.at(-1)?.conversationText).toMatch(/^one$[^]*^two$/m);
    expect(api.unexpected).toBeEmpty();
  });

  test("a limit, then a closed machine: recover still waits for the reset", async () => {
    await using sandbox = await runSandbox(version);
    await using api = await fakeAnthropic(
      story().callsTool("Bash", step("one")).fails.limit({ resetsInSeconds: 6 }).says("All done."),
    );
    const run = startAiRuntime(sandbox, api, ["run", "Write a step", skipPermissions]);
    await untilRun(sandbox, ({ status }) => status.phase === "waiting-limit");
    run.signal("SIGKILL");
    await run.exited;

    const recovered = await airuntime(sandbox, api, ["recover"]);

    expect(recovered).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(api.mainRequests).toHaveLength(3);
  });

  test("a transcript that vanished is begun anew under the same run", async () => {
    await using sandbox = await runSandbox(version);
    await using api = await fakeAnthropic(story().hangs().says("All done."));
    const run = startAiRuntime(sandbox, api, ["run", "Say it"]);
    await api.request(1);
    run.signal("SIGINT");
    await run.finished;
    for (const path of await sandbox.transcripts()) rmSync(path);
    rmSync(join(sandbox.home, ".config", "session-snapshot"), { recursive: true, force: true });

    const resumed = await airuntime(sandbox, api, ["resume"]);

    expect(resumed).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(api.mainRequests.at(-1)?.conversationText).toContain("Say it");
  });

  test("one that is lost for good is begun anew, and knows what had been done", async () => {
    await using sandbox = await runSandbox(version);
    await using api = await fakeAnthropic();
    await pauseAfterOneStep(sandbox, api, "<!-- CHECKPOINT: one is done -->");
    for (const path of await sandbox.transcripts()) rmSync(path);
    rmSync(join(sandbox.home, ".config", "session-snapshot"), { recursive: true, force: true });

    expect(await airuntime(sandbox, api, ["resume"])).toMatchObject({ exitCode: 0, stdout: "All done.\n" });

    const told = api.mainRequests.at(-1)?.conversationText ?? "";
    for (const words of ["Say it", restoredMark, "is lost", "Last completed step: one is done"]) {
      expect(told).toContain(words);
    }
    expect(stepsDone(sandbox)).toEqual(["one"]);
  });

  const losses: [string, (path: string) => void][] = [
    ["deleted", (path) => rmSync(path)],
    ["emptied", (path) => writeFileSync(path, "")],
    ["cut down to bookkeeping", (path) => writeFileSync(path, '{"type":"queue-operation","operation":"enqueue"}\n')],
  ];

  test.each(losses)(
    "a transcript that was %s is brought back from its snapshot, and the run goes on",
    async (_how, lose) => {
      await using sandbox = await runSandbox(version);
      await using api = await fakeAnthropic();
      await pauseAfterOneStep(sandbox, api, "Half of it.");
      const [path = ""] = await sandbox.transcripts();
      // Which of its hooks a client in print mode still waits for when it fails is its own affair.
      const { sessionId } = onlyRun(sandbox).plan;
      const payload = {
        session_id: sessionId,
        transcript_path: path,
        hook_event_name: "Stop",
        cwd: sandbox.projectDir,
      };
      await sandbox.run(["session-snapshot", "hook"], { stdin: JSON.stringify(payload) });
      lose(path);

      const resumed = await airuntime(sandbox, api, ["resume"]);

      expect(resumed).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
      expect(resumed.stderr).toContain("! the transcript was lost; it is back from its snapshot");
      const { conversationText } = api.mainRequests.at(-1) ?? { conversationText: "" };
      for (const words of ["Half of it.", restoredMark]) expect(conversationText).toContain(words);
      expect(stepsDone(sandbox)).toEqual(["one"]);
    },
  );

  test("a transcript that is all one damaged line is mended, and not begun anew", async () => {
    await using sandbox = await runSandbox(version);
    await using api = await fakeAnthropic();
    await pauseAfterOneStep(sandbox, api, "Half of it.");
    const [path = ""] = await sandbox.transcripts();
    rmSync(join(sandbox.home, ".config", "session-snapshot"), { recursive: true, force: true });
    writeFileSync(path, readFileSync(path, "utf8").replaceAll("\n", ""));

    const resumed = await airuntime(sandbox, api, ["resume"]);

    expect(resumed).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    const { conversationText } = api.mainRequests.at(-1) ?? { conversationText: "" };
    for (const words of ["Half of it.", restoredMark]) expect(conversationText).toContain(words);
    expect(stepsDone(sandbox)).toEqual(["one"]);
  });

  test.each(losses.slice(1))(
    "a claude that died before its conversation began, its transcript %s, begins anew",
    async (_how, lose) => {
      await using sandbox = await runSandbox(version);
      await using api = await fakeAnthropic(story().hangs().says("All done."));
      const run = startAiRuntime(sandbox, api, ["run", "Say it"]);
      await api.request(1);
      run.signal("SIGINT");
      await run.finished;
      rmSync(join(sandbox.home, ".config", "session-snapshot"), { recursive: true, force: true });
      for (const path of await sandbox.transcripts()) lose(path);

      const resumed = await airuntime(sandbox, api, ["resume"]);

      expect(resumed).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
      expect(resumed.stderr).toContain("what it left is kept, and the task begins anew");
      expect(api.mainRequests.at(-1)?.conversationText).toContain("Say it");
    },
  );
});
