// A hosted claude is a run: listed, stopped, and resumed with its conversation when its host has died.
import { expect, setDefaultTimeout, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cclaudeSandbox, restoredMark } from "../support/cclaude.ts";
import { newestClaude } from "../support/claude-versions.ts";
import { fakeAnthropic } from "../support/fake-anthropic.ts";
import { hostRecord, openTerminal, run } from "../support/host-world.ts";
import { says } from "../support/replies.ts";
import { runRecords } from "../support/runs.ts";
import { story } from "../support/scenario.ts";
import { scratch } from "../support/scripted-claude.ts";
import { tmuxMissing } from "../support/tmux.ts";
import { untilTranscript } from "../support/until-transcript.ts";

setDefaultTimeout(120_000);

const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);

test.skipIf(missing !== undefined)(
  "run --interactive --detach starts it, status lists it, attach shows it, stop ends it for good",
  async () => {
    await using api = await fakeAnthropic(story().says("Hello from the model."));
    await using sandbox = await cclaudeSandbox(newestClaude);
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
    expect(again).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("is over (stopped)") as string });
  },
  120_000,
);

test.skipIf(missing !== undefined)(
  "a host that was killed with its claude is recovered: the same id, the same conversation",
  async () => {
    await using api = await fakeAnthropic(
      story()
        .says("Hello from the model.")
        .answers((request) => says(request.conversationText.includes(restoredMark) ? "Went on." : "Not told.")),
    );
    await using sandbox = await cclaudeSandbox(newestClaude);
    await sandbox.trustProject();
    const env = sandbox.claudeEnv(api);
    const started = await sandbox.run(["ai-runtime", "run", "Say hello", "--interactive", "--detach"], { env });
    const id = started.stdout.trim();
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
  },
  120_000,
);

test.skipIf(missing !== undefined)(
  "a host that was killed before there was a conversation begins again, with its prompt",
  async () => {
    await using api = await fakeAnthropic(story().hangs().says("Hello after all."));
    await using sandbox = await cclaudeSandbox(newestClaude);
    await sandbox.trustProject();
    const env = sandbox.claudeEnv(api);
    await sandbox.run(["ai-runtime", "run", "Say hello", "--interactive", "--detach"], { env });
    await api.request(1);
    process.kill(hostRecord(sandbox).running?.host.pid ?? 0, "SIGKILL");
    await (
      await api.request(1)
    ).ended;
    rmSync(join(sandbox.home, ".config", "session-snapshot"), { recursive: true, force: true });
    for (const path of await sandbox.transcripts()) writeFileSync(path, "");

    expect(await sandbox.run(["ai-runtime", "recover", "--all"], { env })).toMatchObject({ exitCode: 0 });

    await untilTranscript(sandbox, "Hello after all.");
    const { conversationText } = await api.request(2);
    expect(conversationText).toContain("Say hello");
    expect(conversationText).not.toContain(restoredMark);
    expect(await sandbox.transcripts()).toHaveLength(1);
  },
  120_000,
);

test.skipIf(missing !== undefined)(
  "a host that a shutdown has ended is recovered, too",
  async () => {
    await using api = await fakeAnthropic(story().says("Hello from the model.").says("Went on."));
    await using sandbox = await cclaudeSandbox(newestClaude);
    await sandbox.trustProject();
    const env = sandbox.claudeEnv(api);
    const started = await sandbox.run(["ai-runtime", "run", "Say hello", "--interactive", "--detach"], { env });
    const id = started.stdout.trim();
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
  },
  120_000,
);

test.each(["--version", "-h", "mcp list"])("what has its answer at once is not hosted: %s", async (line) => {
  const words = line.split(" ");
  await using sandbox = await scratch(`printf '<%s>' "$@"`);
  const ended = await sandbox.run(["cclaude", "--detachable", ...words]);
  expect(ended).toMatchObject({ exitCode: 0, stdout: words.map((word) => `<${word}>`).join("") });
  expect(runRecords(sandbox)).toEqual([]);
});

test("without a terminal it says so, and starts nothing", async () => {
  await using sandbox = await cclaudeSandbox(newestClaude);
  const { exitCode, stderr } = await sandbox.run(["cclaude", "--detachable", "hi"]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringMatching(/^cclaude: a program can only be attached to a terminal/) as string,
  });
  expect(() => hostRecord(sandbox)).toThrow();
});
