// `cclaude -p` that dies together with its claude: recover continues it in the background; an orderly end leaves nothing.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSameProcess, type ProcessIdentity } from "../../../src/io/process/process.ts";
import { claudeFile, rememberVersion } from "../../../src/store/cclaude/claude-versions.ts";
import { SnapshotPaths } from "../../../src/store/snapshots/snapshot-paths.ts";
import { says } from "../../support/anthropic/replies.ts";
import { SnapshotFiles } from "../../support/worlds/snapshot-files.ts";
import { restoredHeader, runCclaude, skipPermissions } from "../../support/runs/cclaude.ts";
import { forEachClaude, newestClaude } from "../../support/sandbox/claude-versions.ts";
import { type FakeAnthropic, fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { runAiRuntime, onlyRun, runRecords, step, stepsDone, untilRun } from "../../support/runs/runs.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import type { SandboxProcess } from "../../support/sandbox/sandbox-process.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { untilFile } from "../../support/until-file.ts";
import { untilTranscript } from "../../support/transcripts/until-transcript.ts";
import { until } from "../../support/until.ts";

const startCclaude = (sandbox: Sandbox, api: FakeAnthropic, args: readonly string[]): SandboxProcess =>
  sandbox.spawn(["cclaude", ...args], { env: sandbox.claudeEnv(api) });

/** What a crash of the machine leaves: a killed claude still runs for a moment. */
async function killBoth(sandbox: Sandbox, cclaude: SandboxProcess): Promise<void> {
  const { child } = (await untilRun(sandbox, ({ status }) => status.child !== null)).status;
  cclaude.signal("SIGKILL");
  process.kill(child?.pid ?? 0, "SIGKILL");
  await cclaude.exited;
  await until(() => !child || !isSameProcess(child), "the killed claude to end");
}

const leftEvents = (sandbox: Sandbox): string[] => {
  const directory = join(sandbox.home, ".local/state/ai-runtime/runs/sessions");
  return existsSync(directory) ? readdirSync(directory) : [];
};

forEachClaude((version) => {
  test("recover finishes a cclaude -p that was killed together with its claude, and repeats no step", async () => {
    await using sandbox = await installedSandbox(version);
    await using api = await fakeAnthropic(
      story().callsTool("Bash", step("one")).hangs().callsTool("Bash", step("two")).says("All done."),
    );
    const flags = ["--output-format", "json", skipPermissions];
    const cclaude = startCclaude(sandbox, api, ["-p", "Write two steps", ...flags]);
    await api.request(2);
    await untilTranscript(sandbox, `"content":"one"`);
    await killBoth(sandbox, cclaude);
    const { plan } = onlyRun(sandbox);
    const listed = JSON.parse((await runAiRuntime(sandbox, api, ["status", "--json"])).stdout) as { runs: object[] };
    expect(listed.runs).toMatchObject([{ id: plan.id, origin: "cclaude", state: "died", task: "Write two steps" }]);

    const recovered = await runAiRuntime(sandbox, api, ["recover"], { cwd: sandbox.home });

    expect(recovered).toMatchObject({ exitCode: 0, stdout: `${plan.id}\n` });
    expect(recovered.stderr).toContain(`Its output goes to ${plan.directory}/output.log`);
    await untilRun(sandbox, ({ status }) => status.phase === "done");
    expect(stepsDone(sandbox)).toEqual(["one", "two"]);
    await untilFile(join(plan.directory, "output.log"), (text) => text.includes("All done."));
    expect(api.mainRequests.at(-2)?.lastText).toContain(restoredHeader);
    expect(new Set(api.mainRequests.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(onlyRun(sandbox).plan).toMatchObject({ flags: [skipPermissions], permissionMode: "bypassPermissions" });
    expect(leftEvents(sandbox)).toEqual([]);
    expect(await runAiRuntime(sandbox, api, ["recover"])).toMatchObject({ exitCode: 4, stdout: "" });
  });

  test("a cclaude -p that ends in an orderly way, with an answer or by SIGTERM, leaves nothing to recover", async () => {
    await using sandbox = await installedSandbox(version);
    await using api = await fakeAnthropic(story().says("Done.").hangs());
    expect(await runCclaude(sandbox, api, ["-p", "Say it"])).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
    const stopped = startCclaude(sandbox, api, ["-p", "Say it"]);
    await api.request(2);
    stopped.signal("SIGTERM");
    await stopped.exited;
    expect(runRecords(sandbox)).toEqual([]);
    expect(leftEvents(sandbox)).toEqual([]);
    expect(await runAiRuntime(sandbox, api, ["recover"])).toMatchObject({ exitCode: 4, stdout: "" });
  });
});

test("recover starts a cclaude -p over when it died before its conversation began", async () => {
  await using sandbox = await installedSandbox(newestClaude);
  await using api = await fakeAnthropic(story().says("All done."));
  const claude = join(sandbox.root, "slow-claude");
  writeFileSync(claude, `#!/bin/sh\nexec python3 -c 'import time; time.sleep(600)'\n`, { mode: 0o755 });
  // cclaude chooses the id of a new conversation only for a version that it knows.
  const known = { ...sandbox.claudeEnv(api), CCLAUDE_CLAUDE_BIN: claude };
  const file = claudeFile(claude);
  if (file) rememberVersion(new SnapshotPaths(new SnapshotFiles(sandbox).root), file, "2.1.326");
  const cclaude = sandbox.spawn(["cclaude", "-p", "Say it", "--model", "opus"], { env: known });
  await killBoth(sandbox, cclaude);
  const { plan } = onlyRun(sandbox);
  expect(plan.sessionId).toMatch(/^[0-9a-f-]{36}$/);
  writeFileSync(claude, `#!/bin/sh\nexec claude "$@"\n`);

  expect(await runAiRuntime(sandbox, api, ["recover"])).toMatchObject({ exitCode: 0, stdout: `${plan.id}\n` });

  await untilRun(sandbox, ({ status }) => status.phase === "done");
  expect(api.mainRequests.at(-1)).toMatchObject({ sessionId: plan.sessionId });
  expect(api.mainRequests.at(-1)?.conversationText).toContain("Say it");
});

test("recover refuses while the claude of a killed cclaude still works, and finds nothing when it has finished", async () => {
  await using sandbox = await installedSandbox(newestClaude);
  const answer = Promise.withResolvers<void>();
  await using api = await fakeAnthropic(
    story().answers(async () => {
      await answer.promise;
      return says("Done.");
    }),
  );
  const cclaude = startCclaude(sandbox, api, ["-p", "Say it"]);
  await api.request(1);
  const { plan, status } = await untilRun(sandbox, (run) => run.status.child !== null);
  cclaude.signal("SIGKILL");
  await cclaude.exited;
  expect(await runAiRuntime(sandbox, api, ["recover"])).toMatchObject({ exitCode: 4 });
  expect(await runAiRuntime(sandbox, api, ["resume", plan.id])).toMatchObject({
    exitCode: 5,
    stderr: expect.stringContaining(`still runs (process ${status.child?.pid})`) as string,
  });
  answer.resolve();
  await until(() => !isSameProcess(status.child as ProcessIdentity), "the killed claude to end");
  expect(await runAiRuntime(sandbox, api, ["recover"])).toMatchObject({ exitCode: 4 });
  expect(runRecords(sandbox)).toEqual([]);
});

test("a hangup in the wait for a limit leaves a session to recover, a SIGTERM does not", async () => {
  await using sandbox = await installedSandbox(newestClaude);
  await using api = await fakeAnthropic(story().fails.limit({ resetsInSeconds: 3_600, times: 20 }));
  for (const [signal, left] of [
    ["SIGTERM", []],
    ["SIGHUP", [{ phase: "paused", cause: "hangup" }]],
  ] as const) {
    const cclaude = startCclaude(sandbox, api, ["-p", "Say it"]);
    await untilRun(sandbox, ({ status }) => status.phase === "waiting-limit");
    cclaude.signal(signal);
    await cclaude.exited;
    expect(runRecords(sandbox).map(({ status }) => status)).toMatchObject([...left]);
  }
});
