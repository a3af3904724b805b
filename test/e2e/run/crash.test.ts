// `ai-runtime run` when claude or its supervisor dies, when the user interrupts it, or when the transcript is lost.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSameProcess, type ProcessIdentity } from "../../../src/io/process/process.ts";
import { restoredHeader, skipPermissions } from "../../support/runs/cclaude.ts";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { type FakeAnthropic, fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { hangs, type Reply } from "../../support/anthropic/replies.ts";
import { runAiRuntime, onlyRun, startAiRuntime, step, stepsDone, untilRun } from "../../support/runs/runs.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { untilFile } from "../../support/until-file.ts";
import { untilTranscript } from "../../support/transcripts/until-transcript.ts";

const endlessCall = { command: "touch held; python3 -c 'import time; time.sleep(600)'" };

/** A run that did one step, said this, and paused at a limit. The API then answers "All done." */
async function pauseAfterOneStep(sandbox: Sandbox, api: FakeAnthropic, saying: string): Promise<void> {
  api.plays(story().callsTool("Bash", step("one"), { saying }).fails.limit({ resetsInSeconds: 3_600, times: 2 }));
  const paused = await runAiRuntime(sandbox, api, ["run", "Say it", "--no-wait", skipPermissions]);
  expect(paused.exitCode).toBe(75);
  api.plays(story().says("All done."));
}

/** A run that the user interrupted before the API answered at all. */
async function stopAtFirstRequest(sandbox: Sandbox, api: FakeAnthropic): Promise<void> {
  const run = startAiRuntime(sandbox, api, ["run", "Say it"]);
  await api.request(1);
  run.signal("SIGINT");
  await run.finished;
}

forEachClaude((version) => {
  test("a run resumes a claude that was killed during a tool call, and repeats no step", async () => {
    await using sandbox = await installedSandbox(version);
    await using api = await fakeAnthropic(
      story()
        .callsTool("Bash", step("one"))
        .callsTool("Bash", endlessCall)
        .callsTool("Bash", step("two"))
        .says("All done."),
    );
    const run = startAiRuntime(sandbox, api, ["run", "Write two steps", skipPermissions]);
    await untilFile(join(sandbox.projectDir, "held"), () => true);
    const { child } = (await untilRun(sandbox, ({ status }) => status.phase === "working")).status;
    process.kill(child?.pid ?? 0, "SIGKILL");

    const ended = await run.finished;

    expect(ended).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(ended.stderr).toContain("! claude ended unexpectedly (SIGKILL); resuming the task");
    expect(stepsDone(sandbox)).toEqual(["one", "two"]);
    expect(api.mainRequests.at(-2)?.lastText).toContain(restoredHeader);
    expect(api.mainRequests.at(-1)?.conversationText).toContain("Write two steps");
    expect(new Set(api.mainRequests.map(({ sessionId }) => sessionId)).size).toBe(1);
  });

  test("recover finishes a run whose supervisor and claude were both killed", async () => {
    await using sandbox = await installedSandbox(version);
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
    // A kill in the middle of a write leaves such a file.
    writeFileSync(join(plan.directory, ".checkpoint.json.tmp-4711-0"), "{");

    // The run remembers its directory, so recover works from any other.
    const recovered = await runAiRuntime(sandbox, api, ["recover"], { cwd: sandbox.home });

    expect(recovered).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(stepsDone(sandbox)).toEqual(["one", "two"]);
    expect(api.mainRequests.at(-2)?.lastText).toContain("Last completed step: one is written");
    expect(onlyRun(sandbox).status).toMatchObject({ phase: "done", steps: 1 });
    expect(readdirSync(plan.directory).sort()).toEqual(["checkpoint.json", "journal.jsonl", "output.log"]);
    expect(await runAiRuntime(sandbox, api, ["recover"])).toMatchObject({ exitCode: 4, stdout: "" });
    expect(await runAiRuntime(sandbox, api, ["resume", plan.id])).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining(`run ${plan.id} is already done; there is nothing to resume`),
    });
  });

  test("recover ends the claude of a killed supervisor before it starts another", async () => {
    await using sandbox = await installedSandbox(version);
    await using api = await fakeAnthropic(story().callsTool("Bash", step("one")).hangs().says("All done."));
    const run = startAiRuntime(sandbox, api, ["run", "Write a step", skipPermissions]);
    await api.request(2);
    await untilTranscript(sandbox, `"content":"one"`);
    const { child } = onlyRun(sandbox).status;
    run.signal("SIGKILL");
    await run.exited;
    expect(isSameProcess(child as ProcessIdentity)).toBeTrue();

    const recovered = await runAiRuntime(sandbox, api, ["recover"]);

    expect(recovered).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(isSameProcess(child as ProcessIdentity)).toBeFalse();
    expect(stepsDone(sandbox)).toEqual(["one"]);
  });

  test("Ctrl-C saves the run and exits with code 130, and resume finishes it", async () => {
    await using sandbox = await installedSandbox(version);
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
    expect(stopped.stderr).toContain(`interrupted; everything is saved. Resume with: ai-runtime resume ${plan.id}\n`);
    expect(status).toMatchObject({ phase: "paused", cause: "interrupted" });
    expect(isSameProcess(status.child as ProcessIdentity)).toBeFalse();
    // recover only takes runs that died, not those the user interrupted.
    expect(await runAiRuntime(sandbox, api, ["recover"])).toMatchObject({ exitCode: 4 });

    expect(await runAiRuntime(sandbox, api, ["resume"])).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(stepsDone(sandbox)).toEqual(["one", "two"]);
  });

  test("a run that is killed twice around an API error keeps the steps of both halves", async () => {
    // Since 2.1.197 claude resumes from a recorded end of the conversation. It records an API error as the end and does not
    // update it when it is killed, so unless the run corrects it, a second resume drops everything after the error.
    await using sandbox = await installedSandbox(version);
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

    const run = await runAiRuntime(sandbox, api, ["run", "Write two steps", skipPermissions]);

    expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(api.mainRequests.at(-1)?.conversationText).toMatch(/^one$[^]*^two$/m);
    expect(api.unexpected).toBeEmpty();
  });

  test("recover still waits for the limit to reset when the supervisor died during the wait", async () => {
    await using sandbox = await installedSandbox(version);
    await using api = await fakeAnthropic(
      story().callsTool("Bash", step("one")).fails.limit({ resetsInSeconds: 6 }).says("All done."),
    );
    const run = startAiRuntime(sandbox, api, ["run", "Write a step", skipPermissions]);
    await untilRun(sandbox, ({ status }) => status.phase === "waiting-limit");
    run.signal("SIGKILL");
    await run.exited;

    const recovered = await runAiRuntime(sandbox, api, ["recover"]);

    expect(recovered).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(api.mainRequests).toHaveLength(3);
  });

  test("resume starts the task over in the same run when the transcript is gone", async () => {
    await using sandbox = await installedSandbox(version);
    await using api = await fakeAnthropic(story().hangs().says("All done."));
    await stopAtFirstRequest(sandbox, api);
    for (const path of await sandbox.transcripts()) rmSync(path);
    rmSync(join(sandbox.home, ".config", "session-snapshot"), { recursive: true, force: true });

    const resumed = await runAiRuntime(sandbox, api, ["resume"]);

    expect(resumed).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(api.mainRequests.at(-1)?.conversationText).toContain("Say it");
  });

  test("resume starts over and tells Claude the completed steps when transcript and snapshot are lost", async () => {
    await using sandbox = await installedSandbox(version);
    await using api = await fakeAnthropic();
    await pauseAfterOneStep(sandbox, api, "<!-- CHECKPOINT: one is done -->");
    for (const path of await sandbox.transcripts()) rmSync(path);
    rmSync(join(sandbox.home, ".config", "session-snapshot"), { recursive: true, force: true });

    expect(await runAiRuntime(sandbox, api, ["resume"])).toMatchObject({ exitCode: 0, stdout: "All done.\n" });

    const received = api.mainRequests.at(-1)?.conversationText ?? "";
    for (const words of ["Say it", restoredHeader, "is lost", "Last completed step: one is done"]) {
      expect(received).toContain(words);
    }
    expect(stepsDone(sandbox)).toEqual(["one"]);
  });

  const losses: [string, (path: string) => void][] = [
    ["deleted", (path) => rmSync(path)],
    ["emptied", (path) => writeFileSync(path, "")],
    ["cut down to bookkeeping", (path) => writeFileSync(path, '{"type":"queue-operation","operation":"enqueue"}\n')],
  ];

  test.each(losses)("resume restores a transcript that was %s from its snapshot", async (_how, lose) => {
    await using sandbox = await installedSandbox(version);
    await using api = await fakeAnthropic();
    await pauseAfterOneStep(sandbox, api, "Half of it.");
    const [path = ""] = await sandbox.transcripts();
    // A failing client in print mode may not wait for its hooks, so the test calls the hook itself.
    const { sessionId } = onlyRun(sandbox).plan;
    const payload = {
      session_id: sessionId,
      transcript_path: path,
      hook_event_name: "Stop",
      cwd: sandbox.projectDir,
    };
    await sandbox.run(["session-snapshot", "hook"], { stdin: JSON.stringify(payload) });
    lose(path);

    const resumed = await runAiRuntime(sandbox, api, ["resume"]);

    expect(resumed).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(resumed.stderr).toContain("! the transcript was lost; restored it from its snapshot");
    const { conversationText } = api.mainRequests.at(-1) ?? { conversationText: "" };
    for (const words of ["Half of it.", restoredHeader]) expect(conversationText).toContain(words);
    expect(stepsDone(sandbox)).toEqual(["one"]);
  });

  test("resume repairs a transcript that is one damaged line instead of starting over", async () => {
    await using sandbox = await installedSandbox(version);
    await using api = await fakeAnthropic();
    await pauseAfterOneStep(sandbox, api, "Half of it.");
    const [path = ""] = await sandbox.transcripts();
    rmSync(join(sandbox.home, ".config", "session-snapshot"), { recursive: true, force: true });
    writeFileSync(path, readFileSync(path, "utf8").replaceAll("\n", ""));

    const resumed = await runAiRuntime(sandbox, api, ["resume"]);

    expect(resumed).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    const { conversationText } = api.mainRequests.at(-1) ?? { conversationText: "" };
    for (const words of ["Half of it.", restoredHeader]) expect(conversationText).toContain(words);
    expect(stepsDone(sandbox)).toEqual(["one"]);
  });

  test.each(losses.slice(1))(
    "resume starts over when claude died before its conversation began and the transcript was %s",
    async (_how, lose) => {
      await using sandbox = await installedSandbox(version);
      await using api = await fakeAnthropic(story().hangs().says("All done."));
      await stopAtFirstRequest(sandbox, api);
      rmSync(join(sandbox.home, ".config", "session-snapshot"), { recursive: true, force: true });
      for (const path of await sandbox.transcripts()) lose(path);

      const resumed = await runAiRuntime(sandbox, api, ["resume"]);

      expect(resumed).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
      expect(resumed.stderr).toContain("no conversation is left of the last attempt; starting the task again");
      expect(api.mainRequests.at(-1)?.conversationText).toContain("Say it");
    },
  );
});
