// A hosted claude is a run: it can be listed, stopped, and recovered with its conversation when its host has died.
import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { restoredHeader } from "../../support/runs/cclaude.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { newestClaude } from "../../support/sandbox/claude-versions.ts";
import { leftoverProcesses } from "../../support/sandbox/leftover-processes.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { hostRecord, openTerminal, run, startInteractive } from "../../support/terminal/host-world.ts";
import { says } from "../../support/anthropic/replies.ts";
import { runRecords } from "../../support/runs/runs.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { sandboxWithClaude } from "../../support/runs/scripted-claude.ts";
import { tmuxMissing } from "../../support/terminal/tmux.ts";
import { until } from "../../support/until.ts";
import { untilTranscript } from "../../support/transcripts/until-transcript.ts";

const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);

test.skipIf(missing !== undefined)(
  "run --interactive --detach starts a hosted run, status lists it, attach shows it, and stop ends it for good",
  async () => {
    await using api = await fakeAnthropic(story().says("Hello from the model."));
    await using sandbox = await installedSandbox(newestClaude);
    await sandbox.trustProject();
    const env = sandbox.claudeEnv(api);
    const started = await sandbox.run(["ai-runtime", "run", "Say hello", "--interactive", "--detach"], { env });
    expect(started.exitCode).toBe(0);
    expect(started.stdout).toMatch(/^\d{8}-\d{6}-\w{4}\n$/);
    const id = started.stdout.trim();
    await untilTranscript(sandbox, "Hello from the model.");
    const listed = await sandbox.run(["ai-runtime", "status", "--json"]);
    expect(listed.stdout).toContain(id);
    await using terminal = await openTerminal(sandbox);
    run(terminal, `ai-runtime attach ${id.slice(-4)}`);
    await terminal.until(/Hello from the model\./);
    const stopped = await sandbox.run(["ai-runtime", "stop", id]);
    expect(stopped.exitCode).toBe(0);
    await terminal.until(/READY> *\n*$/);
    const again = await sandbox.run(["ai-runtime", "resume", id, "--detach"]);
    expect(again).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("has ended (stopped)") as string });
  },
);

test.skipIf(missing !== undefined)("recover restarts a killed host with the same id and conversation", async () => {
  await using api = await fakeAnthropic(
    story()
      .says("Hello from the model.")
      .answers((request) =>
        says(request.conversationText.includes(restoredHeader) ? "Went on." : "No resume message."),
      ),
  );
  await using sandbox = await installedSandbox(newestClaude);
  await sandbox.trustProject();
  const env = sandbox.claudeEnv(api);
  const id = await startInteractive(sandbox, env);
  await untilTranscript(sandbox, "Hello from the model.");
  const { running } = hostRecord(sandbox);
  process.kill(running?.host.pid ?? 0, "SIGKILL");
  await using terminal = await openTerminal(sandbox, env);
  run(terminal, `ai-runtime attach ${id}`);
  await terminal.until(/The host of .* is gone/);
  const recovered = await sandbox.run(["ai-runtime", "recover", "--all"], { env });
  expect(recovered).toMatchObject({ exitCode: 0, stdout: `${id}\n` });
  expect(hostRecord(sandbox).running?.host.pid).not.toBe(running?.host.pid);
  run(terminal, "clear; ai-runtime attach");
  await terminal.until(/Went on\./);
  expect(await sandbox.transcripts()).toHaveLength(1);
});

test.skipIf(missing !== undefined)(
  "recover starts over with the prompt when the host was killed before the conversation began",
  async () => {
    await using api = await fakeAnthropic(story().hangs().says("Hello after all."));
    await using sandbox = await installedSandbox(newestClaude);
    await sandbox.trustProject();
    const env = sandbox.claudeEnv(api);
    await startInteractive(sandbox, env);
    await api.request(1);
    process.kill(hostRecord(sandbox).running?.host.pid ?? 0, "SIGKILL");
    // Claude writes its transcript once more while it ends.
    await until(() => leftoverProcesses(sandbox.root).length === 0, "all processes of the killed host to end");
    rmSync(join(sandbox.home, ".config", "session-snapshot"), { recursive: true, force: true });
    for (const path of await sandbox.transcripts()) writeFileSync(path, "");

    expect(await sandbox.run(["ai-runtime", "recover", "--all"], { env })).toMatchObject({ exitCode: 0 });

    await untilTranscript(sandbox, "Hello after all.");
    const { conversationText } = await api.request(2);
    expect(conversationText).toContain("Say hello");
    expect(conversationText).not.toContain(restoredHeader);
    expect(await sandbox.transcripts()).toHaveLength(1);
  },
);

test.skipIf(missing !== undefined)("recover restarts a host that was ended by a shutdown", async () => {
  await using api = await fakeAnthropic(story().says("Hello from the model.").says("Went on."));
  await using sandbox = await installedSandbox(newestClaude);
  await sandbox.trustProject();
  const env = sandbox.claudeEnv(api);
  const id = await startInteractive(sandbox, env);
  await untilTranscript(sandbox, "Hello from the model.");
  await using terminal = await openTerminal(sandbox, env);
  run(terminal, "ai-runtime attach");
  await terminal.until(/Hello from the model\./);
  process.kill(hostRecord(sandbox).running?.host.pid ?? 0, "SIGTERM");
  await terminal.until(/READY> *\n*$/);
  const { runs } = JSON.parse((await sandbox.run(["ai-runtime", "status", "--json"])).stdout) as { runs: unknown[] };
  expect(runs).toMatchObject([{ id, state: "paused", cause: "shutdown" }]);
  const recovered = await sandbox.run(["ai-runtime", "recover", "--all"], { env });
  expect(recovered).toMatchObject({ exitCode: 0, stdout: `${id}\n` });
  await untilTranscript(sandbox, "Went on.");
  expect((await sandbox.run(["ai-runtime", "stop", id])).exitCode).toBe(0);
});

test.skipIf(missing !== undefined)(
  "a kill of the cclaude in a host, in front of the user, can be recovered, and the next cclaude says so",
  async () => {
    await using api = await fakeAnthropic(story().says("Hello from the model.").says("Another one.").says("Went on."));
    await using sandbox = await installedSandbox(newestClaude);
    await sandbox.trustProject();
    const env = sandbox.claudeEnv(api);
    await using terminal = await openTerminal(sandbox, env);
    run(terminal, "cclaude 'Say hello'; echo code=$?");
    await terminal.until(/Hello from the model\./);
    const { plan, running } = hostRecord(sandbox);
    process.kill(running?.program?.pid ?? 0, "SIGKILL");
    await terminal.until(/code=137/);
    run(terminal, "clear; cclaude -p 'Say more'; cclaude --version; cclaude");
    await terminal.until(/an interrupted session of this directory \("Say hello", [^]* can be\s+continued:/);
    const recovered = await sandbox.run(["ai-runtime", "recover", "--all"], { env });
    expect(recovered).toMatchObject({ exitCode: 0, stdout: `${plan.id}\n` });
    await untilTranscript(sandbox, "Went on.");
    expect((await sandbox.run(["ai-runtime", "stop", plan.id])).exitCode).toBe(0);
  },
);

test.each(["--version", "-h", "mcp list"])(
  "cclaude --detachable %s runs claude directly, without a host",
  async (line) => {
    const words = line.split(" ");
    await using sandbox = await sandboxWithClaude(`printf '<%s>' "$@"`);
    const ended = await sandbox.run(["cclaude", "--detachable", ...words]);
    expect(ended).toMatchObject({ exitCode: 0, stdout: words.map((word) => `<${word}>`).join("") });
    expect(runRecords(sandbox)).toEqual([]);
  },
);

test("cclaude --detachable without a terminal fails and starts nothing", async () => {
  await using sandbox = await installedSandbox(newestClaude);
  const { exitCode, stderr } = await sandbox.run(["cclaude", "--detachable", "hi"]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringMatching(/^cclaude: attach needs a terminal/) as string,
  });
  expect(() => hostRecord(sandbox)).toThrow();
});
