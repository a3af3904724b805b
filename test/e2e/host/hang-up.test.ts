// What follows when the last terminal of a hosted claude is lost: the setting onHangup.
import { expect, test } from "bun:test";
import type { HostRecord } from "../../../src/store/hosts/host-records.ts";
import { isSameProcess } from "../../../src/io/process/process.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { runAiRuntime, untilRun } from "../../support/runs/runs.ts";
import { forEachClaude, newestClaude } from "../../support/sandbox/claude-versions.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import {
  detachKeys,
  goOn,
  hostRecord,
  hostRecords,
  openTerminal,
  run,
  untilHost,
  waitForFile,
} from "../../support/terminal/host-world.ts";
import { tmuxMissing } from "../../support/terminal/tmux.ts";
import { untilTranscript } from "../../support/transcripts/until-transcript.ts";

const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);
const continueSoon = { AI_RUNTIME_CONTINUE_AFTER_SECONDS: "1" };
const allowBash = "--permission-mode acceptEdits --allowedTools Bash --";
/** Waits for the recorded end; the processes are gone then. */
async function untilGone(sandbox: Sandbox): Promise<void> {
  const record = await untilHost(sandbox, ({ end }) => end !== null);
  if (record.running?.program) expect(isSameProcess(record.running.program)).toBe(false);
  await untilRun(sandbox, ({ status }) => status.phase === "done" && status.cause === "hang-up");
}

forEachClaude((version) => {
  test.skipIf(missing !== undefined)(
    "a claude whose terminal is killed finishes its turn and exits, its session can be resumed, and recover leaves it alone",
    async () => {
      await using api = await fakeAnthropic(
        story().callsTool("Bash", waitForFile).says("Finished the turn.").says("Resumed.", { times: Infinity }),
      );
      await using sandbox = await installedSandbox(version);
      await sandbox.trustProject();
      const env = sandbox.claudeEnv(api);
      await using terminal = await openTerminal(sandbox, env);
      run(terminal, `cclaude --detachable ${allowBash} 'Do it'`);
      await terminal.until(/Running|Wait/);
      await untilHost(sandbox, ({ status }) => status?.state.kind === "working" && status.terminals === 1);
      terminal.kill();
      await untilHost(sandbox, ({ status }) => status?.hangup?.policy === "finish");
      expect(hostRecord(sandbox).status?.state.kind).toBe("working");
      await goOn(sandbox);
      await untilTranscript(sandbox, "Finished the turn.");
      await untilGone(sandbox);
      expect(hostRecord(sandbox).end).toMatchObject({ exitCode: 0, signal: null });
      expect((await runAiRuntime(sandbox, api, ["recover", "--all"])).stdout).toBe("");
      const id = hostRecord(sandbox).plan.sessionId ?? "";
      const resumed = await sandbox.run(["cclaude", "-p", "More", "--resume", id], { env });
      expect(resumed).toMatchObject({ exitCode: 0, stdout: "Resumed.\n" });
      expect(api.mainRequests.at(-1)?.conversationText).toContain("Finished the turn.");
    },
  );
});

test.skipIf(missing !== undefined)(
  "a claude whose terminal is killed at a usage limit continues after the reset, and then exits",
  async () => {
    await using api = await fakeAnthropic(story().fails.limit({ resetsInSeconds: 6 }).says("Went on."));
    await using sandbox = await installedSandbox(newestClaude);
    await sandbox.trustProject();
    await using terminal = await openTerminal(sandbox, { ...sandbox.claudeEnv(api), ...continueSoon });
    run(terminal, "cclaude --detachable 'Do a lot'");
    await terminal.until(/limit/i);
    terminal.kill();
    await untilTranscript(sandbox, "Went on.");
    await untilGone(sandbox);
    expect(hostRecord(sandbox).end).toMatchObject({ exitCode: 0, signal: null });
  },
);

test.skipIf(missing !== undefined)(
  "with finish, a question waits for an answer, and a new terminal cancels the end",
  async () => {
    await using api = await fakeAnthropic(
      story().callsTool("Bash", { command: "touch asked-for", description: "Touch" }).says("Answered."),
    );
    await using sandbox = await installedSandbox(newestClaude);
    await sandbox.trustProject();
    const env = sandbox.claudeEnv(api);
    await using first = await openTerminal(sandbox, env);
    run(first, "cclaude --detachable --permission-mode default 'Touch the file'");
    await first.until(/Do you want to proceed\?/);
    first.kill();
    await untilHost(sandbox, ({ status }) => status?.hangup?.policy === "finish" && status.state.kind === "asking");
    await using second = await openTerminal(sandbox, env);
    run(second, "ai-runtime attach");
    await second.until(/Do you want to proceed\?/);
    await untilHost(sandbox, ({ status }) => status?.hangup === null && status.terminals === 1);
    second.press("Enter");
    await second.until(/Answered\./);
    await untilHost(sandbox, ({ status }) => status?.state.kind === "idle");
    // An explicit detach keeps it.
    second.press(...detachKeys);
    await second.until(/^Detached from/m);
    const { status, end } = await untilHost(sandbox, (record) => record.status?.terminals === 0);
    expect(status?.hangup).toBeNull();
    expect(end).toBeNull();
  },
);

test.skipIf(missing !== undefined)(
  "a question without an answer ends a claude whose terminal was killed after the time of the setting, unanswered",
  async () => {
    await using api = await fakeAnthropic(
      story().callsTool("Bash", { command: "touch asked-for", description: "Touch" }).says("Answered."),
    );
    await using sandbox = await installedSandbox(newestClaude);
    await sandbox.trustProject();
    const env = { ...sandbox.claudeEnv(api), AI_RUNTIME_ASK_TIMEOUT_HOURS: "0" };
    await using terminal = await openTerminal(sandbox, env);
    run(terminal, "cclaude --detachable --permission-mode default 'Touch the file'");
    await terminal.until(/Do you want to proceed\?/);
    await untilHost(sandbox, ({ status }) => status?.state.kind === "asking");
    terminal.kill();
    await untilGone(sandbox);
    expect(await Bun.file(`${sandbox.projectDir}/asked-for`).exists()).toBe(false);
  },
);

test.skipIf(missing !== undefined)(
  "with keep, a claude whose terminal is killed stays; with end, it ends at once",
  async () => {
    await using api = await fakeAnthropic(story().says("Hello.", { times: 2 }).hangs());
    await using sandbox = await installedSandbox(newestClaude);
    await sandbox.trustProject();
    const start = async (policy: string): Promise<HostRecord> => {
      await using terminal = await openTerminal(sandbox, { ...sandbox.claudeEnv(api), AI_RUNTIME_ON_HANGUP: policy });
      run(terminal, "cclaude --detachable 'Say hello'");
      await terminal.until(/Hello\./);
      const [newest] = hostRecords(sandbox);
      const id = newest?.plan.id;
      await untilHost(sandbox, ({ status }) => status?.state.kind === "idle", id);
      terminal.kill();
      return untilHost(sandbox, ({ status }) => status?.hangup?.policy === policy, id);
    };
    const kept = await start("keep");
    const ended = await start("end");
    const { end } = await untilHost(sandbox, (record) => record.end !== null, ended.plan.id);
    expect(end?.exitCode).toBe(129);
    await untilRun(sandbox, ({ plan, status }) => plan.id === ended.plan.id && status.cause === "hang-up");
    // The idle claude with `finish` would have ended by now as well.
    const isOver = ({ status, end: over }: HostRecord): boolean => status?.state.kind === "idle" || over !== null;
    expect((await untilHost(sandbox, isOver, kept.plan.id)).end).toBeNull();
  },
);
