// A real subagent that a limit, an API error or a kill ends: `verify` and `status` name it, and the resumed Claude learns what it had
// found and where its transcript is.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isSameProcess } from "../../../src/io/process/process.ts";
import { type FakeAnthropic, fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import type { RecordedRequest } from "../../support/anthropic/recorded-request.ts";
import { callsTool, failure, hangs, type Reply, says } from "../../support/anthropic/replies.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { restoredHeader, skipPermissions } from "../../support/runs/cclaude.ts";
import { isLeftOut } from "../../support/runs/native-retry.ts";
import { onlyRun, runAiRuntime, startAiRuntime } from "../../support/runs/runs.ts";
import { type ClaudeVersion, forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import { until } from "../../support/until.ts";

const finding = "FINDING: the bug is in line 7.";

interface Setup {
  readonly version: ClaudeVersion;
  readonly background?: boolean;
  /** What the API answers to the subagent's second request. */
  readonly end: Reply;
}

const isOfAgent = (request: RecordedRequest): boolean =>
  request.kind === "main" && !request.conversationText.includes("THE TASK");

/** The main conversation starts one subagent; the subagent says what it found, writes a file, and then meets its end. */
async function play(sandbox: Sandbox, { version, background = false, end }: Setup): Promise<FakeAnthropic> {
  const turns = { main: 0, agent: 0 };
  const found = { file_path: join(sandbox.projectDir, "found.txt"), content: "line 7" };
  const task = {
    description: "find the bug",
    prompt: "Look for it",
    subagent_type: "general-purpose",
    run_in_background: background,
  };
  return fakeAnthropic(
    story().answers(
      (request) => {
        if (isOfAgent(request)) return turns.agent++ === 0 ? callsTool("Write", found, { saying: finding }) : end;
        return turns.main++ === 0 ? callsTool(version === "2.1.36" ? "Task" : "Agent", task) : says("All done.");
      },
      { times: Infinity },
    ),
  );
}

async function expectNamed(sandbox: Sandbox, sessionId: string, death: string): Promise<void> {
  const verified = await sandbox.run(["session-snapshot", "verify", sessionId, "--json"]);
  expect(JSON.parse(verified.stdout)).toMatchObject({
    clean: true,
    subagents: [
      {
        death,
        lastWords: finding,
        lastStep: expect.stringContaining("Write "),
        files: [join(sandbox.projectDir, "found.txt")],
      },
    ],
  });
  const words = await sandbox.run(["session-snapshot", "verify", sessionId]);
  expect(words.stdout).toMatch(/! subagent a[0-9a-f]+ ".*" was ended by .*; its transcript: .*\/subagents\/agent-/);
}

/** What a crash of the machine leaves: a killed claude still runs for a moment. */
async function killRun(sandbox: Sandbox, run: ReturnType<typeof startAiRuntime>): Promise<void> {
  const { child } = onlyRun(sandbox).status;
  run.signal("SIGKILL");
  process.kill(child?.pid ?? 0, "SIGKILL");
  await run.exited;
  await until(() => !child || !isSameProcess(child), "the killed claude to end");
}

/** Clients write in batches: the file appears before the subagent's words are in it. */
const untilFound = (sandbox: Sandbox): Promise<true> =>
  until(() => {
    const side = [...new Bun.Glob("projects/*/*/subagents/*.jsonl").scanSync(sandbox.configDir)];
    return side.some((name) => readFileSync(join(sandbox.configDir, name), "utf8").includes(`"tool_result"`));
  }, "the result in the subagent's transcript");

function expectTold(api: FakeAnthropic, sandbox: Sandbox, how: string): void {
  const told = api.mainRequests.find((request) => request.lastText.includes(restoredHeader));
  expect(told?.lastText).toContain(how);
  expect(told?.lastText).toContain(finding);
  const transcript = /its transcript: `([^`]+)`/.exec(told?.lastText ?? "")?.[1] ?? "";
  expect(transcript).toStartWith(join(sandbox.configDir, "projects"));
  expect(existsSync(transcript)).toBe(true);
}

forEachClaude((version) => {
  test.skipIf(isLeftOut(version, "2.1.326"))(
    "a killed subagent is named, and the recovered run continues from its findings",
    async () => {
      await using sandbox = await installedSandbox(version);
      await using api = await play(sandbox, { version, end: hangs() });
      expect((await sandbox.run(["session-snapshot", "install"])).exitCode).toBe(0);
      const run = startAiRuntime(sandbox, api, ["run", "THE TASK", skipPermissions]);
      await api.until((request) => isOfAgent(request) && request === api.mainRequests.filter(isOfAgent)[1]);
      await untilFound(sandbox);
      await killRun(sandbox, run);
      await expectNamed(sandbox, onlyRun(sandbox).plan.sessionId, "killed");

      const recovered = await runAiRuntime(sandbox, api, ["recover"]);

      expect(recovered).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
      expectTold(api, sandbox, "ended together with Claude Code");
      expect(api.mainRequests.filter(isOfAgent)).toHaveLength(2);
    },
  );

  test.skipIf(isLeftOut(version, "2.1.197"))("a subagent at a limit is named when the run resumes", async () => {
    await using sandbox = await installedSandbox(version);
    await using api = await play(sandbox, { version, end: failure.limit({ resetsInSeconds: 2 }) });
    const run = await runAiRuntime(sandbox, api, ["run", "THE TASK", skipPermissions]);
    expect(run).toMatchObject({ exitCode: 0 });
    await expectNamed(sandbox, onlyRun(sandbox).plan.sessionId, "limit");
    expectTold(api, sandbox, "ended by the usage limit");
  });

  test.skipIf(isLeftOut(version, "2.1.36"))("a resumed session learns of a subagent that the API failed", async () => {
    await using sandbox = await installedSandbox(version);
    await using api = await play(sandbox, { version, end: failure.overloaded() });
    expect((await sandbox.run(["session-snapshot", "install"])).exitCode).toBe(0);
    const sessionId = crypto.randomUUID();
    await sandbox.claude(api, ["-p", "THE TASK", "--session-id", sessionId, skipPermissions]);
    await expectNamed(sandbox, sessionId, "api-error");
    const status = await sandbox.run(["session-snapshot", "status"]);
    expect(status.stdout).toContain("was ended by an API error");
    const before = api.mainRequests.length;
    await sandbox.claude(api, ["-p", "Go on", "--resume", sessionId, skipPermissions]);

    const resumed = JSON.stringify(api.mainRequests[before]?.body);
    expect(resumed).toContain("ended by an API error");
    expect(resumed).toContain("its transcript: ");
    await sandbox.claude(api, ["-p", "And again", "--resume", sessionId, skipPermissions]);
    expect(JSON.stringify(api.mainRequests.at(-1)?.body).split("ended by an API error").length).toBeLessThanOrEqual(2);
  });

  test.skipIf(isLeftOut(version, "2.1.197"))("a background agent that died with Claude Code is named", async () => {
    await using sandbox = await installedSandbox(version);
    await using api = await play(sandbox, { version, background: true, end: hangs() });
    const run = startAiRuntime(sandbox, api, ["run", "THE TASK", skipPermissions]);
    if (version === "2.1.36") {
      // This client exits at its answer and takes the agent with it, often before the agent has written anything.
      await run.exited;
      const { stdout } = await sandbox.run(["session-snapshot", "verify", onlyRun(sandbox).plan.sessionId, "--json"]);
      const { subagents } = JSON.parse(stdout) as { subagents: { death: string }[] };
      expect(subagents.every(({ death }) => death === "killed")).toBe(true);
      return;
    }
    await api.until((request) => isOfAgent(request) && request === api.mainRequests.filter(isOfAgent)[1]);
    await untilFound(sandbox);
    await killRun(sandbox, run);
    await expectNamed(sandbox, onlyRun(sandbox).plan.sessionId, "killed");

    await runAiRuntime(sandbox, api, ["recover"]);

    expectTold(api, sandbox, "ended together with Claude Code");
  });
});
