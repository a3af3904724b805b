// Detached runs: start, attach, stop, and recover after all their processes died.
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunRecord } from "../../../src/core/run/run-record.ts";
import { isSameProcess, type ProcessIdentity } from "../../../src/io/process/process.ts";
import { skipPermissions } from "../../support/runs/cclaude.ts";
import { newestClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import {
  runAiRuntime,
  journalOf,
  onlyRun,
  runRecords,
  startAiRuntime,
  step,
  stepsDone,
  untilRun,
} from "../../support/runs/runs.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { story } from "../../support/anthropic/scenario.ts";

test("a detached run continues alone, and attach replays its output and exits with its code", async () => {
  await using sandbox = await installedSandbox(newestClaude);
  await using api = await fakeAnthropic(
    story()
      .callsTool("Bash", step("one"), { saying: "Beginning." })
      .hangs({ saying: "Nearly there." })
      .says("All done."),
  );

  const started = await runAiRuntime(sandbox, api, ["run", "Write a step", skipPermissions, "--detach"]);

  const { plan } = onlyRun(sandbox);
  expect(started).toMatchObject({ exitCode: 0, stdout: `${plan.id}\n` });
  expect(started.stderr).toContain(`ai-runtime attach ${plan.id}`);
  const { supervisor } = onlyRun(sandbox).status;
  expect(readFileSync(join(plan.directory, "daemon.pid"), "utf8").trim()).toBe(String(supervisor?.pid));
  await api.request(2);
  // Two clients at once, from another directory.
  const watching = [1, 2].map(() => startAiRuntime(sandbox, api, ["attach"], { cwd: sandbox.home }));
  for (const watcher of watching) await watcher.untilOutput(/Beginning\..*▸ Bash echo one/);
  // A client that detaches does not stop the run.
  watching[0]?.signal("SIGINT");
  expect(await watching[0]?.finished).toMatchObject({ exitCode: 0 });
  api.release();
  expect(await watching[1]?.finished).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/Nearly there\.\n.*✔ done/s),
  });
  expect(existsSync(join(plan.directory, "daemon.pid"))).toBeFalse();
  expect(await runAiRuntime(sandbox, api, ["attach", plan.id])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/Beginning\..*✔ done/s),
  });
  expect(await runAiRuntime(sandbox, api, ["logs"])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("done"),
  });
});

test("a detached run survives the death of its parent and a hangup", async () => {
  await using sandbox = await installedSandbox(newestClaude);
  await using api = await fakeAnthropic(story().callsTool("Bash", step("one")).hangs({ saying: "Done." }));
  const shell = sandbox.spawn(
    ["sh", "-c", `ai-runtime run "Write a step" ${skipPermissions} --detach; exec sleep 600`],
    { env: sandbox.claudeEnv(api) },
  );
  await api.request(2);
  const { status } = await untilRun(sandbox, (record) => record.status.phase === "working");
  shell.signalGroup("SIGKILL");
  process.kill(status.supervisor?.pid ?? 0, "SIGHUP");
  api.release();

  await untilRun(sandbox, (record) => record.status.phase === "done");

  expect(stepsDone(sandbox)).toEqual(["one"]);
});

test("stop ends a run for good: resume and recover refuse it", async () => {
  await using sandbox = await installedSandbox(newestClaude);
  await using api = await fakeAnthropic(story().callsTool("Bash", step("one")).hangs());
  await runAiRuntime(sandbox, api, ["run", "Write a step", skipPermissions, "--detach"]);
  await api.request(2);
  const { plan, status } = await untilRun(sandbox, (record) => record.status.phase === "working");

  const stopped = await runAiRuntime(sandbox, api, ["stop"]);

  expect(stopped).toMatchObject({ exitCode: 0, stderr: `✔ Stopped run ${plan.id}.\n` });
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "stopped" });
  expect(isSameProcess(status.child as ProcessIdentity)).toBeFalse();
  expect(isSameProcess(status.supervisor as ProcessIdentity)).toBeFalse();
  expect(await runAiRuntime(sandbox, api, ["recover", "--all"])).toMatchObject({ exitCode: 0, stdout: "" });
  expect(await runAiRuntime(sandbox, api, ["resume", plan.id])).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining("was stopped for good; there is nothing to resume"),
  });
  expect(await runAiRuntime(sandbox, api, ["stop", plan.id])).toMatchObject({ exitCode: 4 });
});

test("stop also ends a run whose supervisor died", async () => {
  await using sandbox = await installedSandbox(newestClaude);
  await using api = await fakeAnthropic(story().callsTool("Bash", step("one")).hangs());
  const run = startAiRuntime(sandbox, api, ["run", "Write a step", skipPermissions]);
  await api.request(2);
  run.signal("SIGKILL");
  await run.exited;
  const { plan, status } = onlyRun(sandbox);

  expect(await runAiRuntime(sandbox, api, ["stop", plan.id])).toMatchObject({ exitCode: 0 });

  expect(isSameProcess(status.child as ProcessIdentity)).toBeFalse();
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "stopped" });
  expect(await runAiRuntime(sandbox, api, ["recover"])).toMatchObject({ exitCode: 4 });
});

test("resume refuses a run that is already running", async () => {
  await using sandbox = await installedSandbox(newestClaude);
  await using api = await fakeAnthropic(story().hangs());
  await runAiRuntime(sandbox, api, ["run", "Say it", "--detach"]);
  const { plan } = await untilRun(sandbox, (record) => record.status.phase === "working");

  const resumed = await runAiRuntime(sandbox, api, ["resume", plan.id]);

  expect(resumed).toMatchObject({ exitCode: 5, stdout: "" });
  expect(resumed.stderr).toMatch(/^ai-runtime: run \S+ is being worked on by process \d+\nWatch it with: /);
  expect(await runAiRuntime(sandbox, api, ["resume"])).toMatchObject({ exitCode: 4 });
  expect(await runAiRuntime(sandbox, api, ["resume", "20200101-000000-aaaa"])).toMatchObject({ exitCode: 4 });
});

test("recover --all resumes every run that died, one after another", async () => {
  await using sandbox = await installedSandbox(newestClaude);
  await using api = await fakeAnthropic(story().hangs({ times: 2 }).says("All done.", { times: 2 }));
  const runs = [1, 2].map((n) => startAiRuntime(sandbox, api, ["run", `Task ${n}`]));
  await api.request(2);
  for (const run of runs) run.signal("SIGKILL");
  for (const { status } of runRecords(sandbox)) process.kill(status.child?.pid ?? 0, "SIGKILL");
  await Promise.all(runs.map((run) => run.exited));
  // A run directory that came with the repository must not be trusted.
  const stray = join(sandbox.projectDir, ".ai-runtime", "sessions", "20200101-000000-aaaa");
  mkdirSync(stray, { recursive: true });

  const listed = await runAiRuntime(sandbox, api, ["recover"]);
  expect(listed).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("2 runs can be recovered") });
  const recovered = await runAiRuntime(sandbox, api, ["recover", "--all"]);

  expect(recovered).toMatchObject({
    exitCode: 0,
    stdout: runRecords(sandbox)
      .map(({ plan }) => `${plan.id}\n`)
      .join(""),
  });
  expect(recovered.stderr).toContain("! ignored .ai-runtime/sessions/20200101-000000-aaaa of this project");
  for (const { plan } of runRecords(sandbox)) {
    await untilRun(sandbox, (record) => record.plan.id === plan.id && record.status.phase === "done");
  }
});

test("a recovered run waits for a limit that another run has seen, but a new run asks claude first", async () => {
  await using sandbox = await installedSandbox(newestClaude);
  await using api = await fakeAnthropic(story().fails.limit({ resetsInSeconds: 3_600 }).hangs().says("All done."));
  const untilTask = (task: string, phase: RunRecord["status"]["phase"]) =>
    untilRun(sandbox, ({ plan, status }) => plan.task === task && status.phase === phase);
  await runAiRuntime(sandbox, api, ["run", "First", "--detach"]);
  const first = await untilTask("First", "waiting-limit");

  // The user may have logged in to another account since.
  await runAiRuntime(sandbox, api, ["run", "Second", "--detach"]);
  await api.request(2);
  const { status } = await untilTask("Second", "working");
  for (const identity of [status.supervisor, status.child]) process.kill(identity?.pid ?? 0, "SIGKILL");
  await runAiRuntime(sandbox, api, ["recover", "--all"]);

  const second = await untilTask("Second", "waiting-limit");
  expect(second.status.attempts).toBe(1);
  expect(second.status.until).toBeGreaterThanOrEqual(first.status.until ?? Infinity);
  expect(api.mainRequests).toHaveLength(2);
  await runAiRuntime(sandbox, api, ["run", "Third", "--detach"]);
  await untilTask("Third", "done");
  for (const { plan } of [first, second]) await runAiRuntime(sandbox, api, ["stop", plan.id]);
  expect(
    runRecords(sandbox)
      .map((record) => record.status.phase)
      .sort(),
  ).toEqual(["done", "stopped", "stopped"]);
});

test("the journal records every phase of a run, and output.log records what it printed", async () => {
  await using sandbox = await installedSandbox(newestClaude);
  await using api = await fakeAnthropic(
    story().callsTool("Bash", step("one"), { saying: "<!-- CHECKPOINT: one is written -->" }).says("All done."),
  );
  await runAiRuntime(sandbox, api, ["run", "Write a step", skipPermissions, "--quiet"]);
  const record = onlyRun(sandbox);
  expect(journalOf(record).map(({ kind }) => kind)).toEqual([
    "taken",
    "transition",
    "launching",
    "launched",
    "transition",
    "step",
    "result",
    "ended",
    "transition",
  ]);
  expect(readFileSync(join(record.plan.directory, "output.log"), "utf8")).toMatch(
    /^[\d:]{8} ● run \S+ in \S+\n[\d:]{8} ✔ 1\. one is written\n[\d:]{8} {3}▸ Bash {2}echo one .*\n[\d:]{8} All done\.\n[\d:]{8} ✔ done · \S+ · 1 step\n$/,
  );
});
