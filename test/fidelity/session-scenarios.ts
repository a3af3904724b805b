// The scenarios of the recovery board about sessions: hooks, subagents, damaged transcripts.
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isSameProcess } from "../../src/io/process/process.ts";
import { fakeAnthropic } from "../support/anthropic/fake-anthropic.ts";
import type { RecordedRequest } from "../support/anthropic/recorded-request.ts";
import { callsTool, hangs, says } from "../support/anthropic/replies.ts";
import { story } from "../support/anthropic/scenario.ts";
import { restoredHeader, skipPermissions } from "../support/runs/cclaude.ts";
import { onlyRun, runAiRuntime, startAiRuntime } from "../support/runs/runs.ts";
import { installedSandbox } from "../support/sandbox/installed-sandbox.ts";
import { lostSteps, SixStepConversation } from "../support/transcripts/six-step-conversation.ts";
import { until } from "../support/until.ts";
import { SnapshotFiles } from "../support/worlds/snapshot-files.ts";

async function playHooks(version: string): Promise<void> {
  await using api = await fakeAnthropic(story().callsTool("Bash", { command: "echo hi" }).says("Done."));
  await using sandbox = await installedSandbox(version);
  expect(await sandbox.run(["session-snapshot", "install"])).toMatchObject({ exitCode: 0 });

  const run = await sandbox.claude(api, ["-p", "Say hi", skipPermissions]);

  // The client complains about hooks it does not know on stderr, or ignores the whole file.
  expect(run).toEqual({ exitCode: 0, signal: null, stdout: "Done.\n", stderr: "" });
  const files = new SnapshotFiles(sandbox);
  const { sessionId } = files.latest();
  const [transcript = ""] = await sandbox.transcripts();
  const mirror = files.mirror(sessionId);
  // Old clients may write their last lines after their last hook.
  expect(mirror.length).toBeGreaterThan(0);
  expect(readFileSync(transcript).indexOf(mirror)).toBe(0);
  expect(files.state(sessionId).marks.length).toBeGreaterThan(0);
}

const finding = "FINDING: the bug is in line 7.";
const isOfAgent = (request: RecordedRequest): boolean =>
  request.kind === "main" && !request.conversationText.includes("THE TASK");

/** Newer clients call it Agent. */
const agentTool = ({ body }: RecordedRequest): string =>
  body.tools?.some(({ name }) => name === "Agent") ? "Agent" : "Task";

async function playSubagent(version: string): Promise<void> {
  await using sandbox = await installedSandbox(version);
  const turns = { main: 0, agent: 0 };
  const found = { file_path: join(sandbox.projectDir, "found.txt"), content: "line 7" };
  const call = {
    description: "find the bug",
    prompt: "Look for it",
    subagent_type: "general-purpose",
    run_in_background: false,
  };
  await using api = await fakeAnthropic(
    story().answers(
      (request) => {
        if (isOfAgent(request)) return turns.agent++ === 0 ? callsTool("Write", found, { saying: finding }) : hangs();
        return turns.main++ === 0 ? callsTool(agentTool(request), call) : says("All done.");
      },
      { times: Infinity },
    ),
  );
  const run = startAiRuntime(sandbox, api, ["run", "THE TASK", skipPermissions]);
  await api.until((request) => isOfAgent(request) && request === api.mainRequests.filter(isOfAgent)[1]);
  // The client writes in batches: the file appears before the subagent's words are in it.
  await until(() => {
    const names = [...new Bun.Glob("projects/*/*/subagents/*.jsonl").scanSync(sandbox.configDir)];
    return names.some((name) => readFileSync(join(sandbox.configDir, name), "utf8").includes(`"tool_result"`));
  }, "the result in the subagent's transcript");
  const { plan, status } = onlyRun(sandbox);
  run.signal("SIGKILL");
  process.kill(status.child?.pid ?? 0, "SIGKILL");
  await run.exited;
  await until(() => !status.child || !isSameProcess(status.child), "the killed claude to end");
  const verified = await sandbox.run(["session-snapshot", "verify", plan.sessionId, "--json"]);
  expect(JSON.parse(verified.stdout)).toMatchObject({ subagents: [{ death: "killed", lastWords: finding }] });

  expect(await runAiRuntime(sandbox, api, ["recover"])).toMatchObject({ exitCode: 0, stdout: "All done.\n" });

  const told = api.mainRequests.find(({ lastText }) => lastText.includes(restoredHeader));
  expect(told?.lastText).toContain("ended together with Claude Code");
  expect(told?.lastText).toContain(finding);
}

async function playRepair(version: string): Promise<void> {
  await using conversation = await SixStepConversation.record(version);
  const { lines } = conversation;
  const cut = lines.change("answer 1", (line) => line.slice(0, 200)).text;
  const unlinked = lines.change("answer 2", (line) => line.replace(/"parentUuid":"[^"]+"/, '"parentUuid":null')).text;
  for (const [damaged, snapshot] of [
    [cut, true],
    [unlinked, false],
  ] as const) {
    conversation.set(damaged, { snapshot });
    expect(await conversation.command("verify", conversation.sessionId)).toMatchObject({ exitCode: 6 });
    expect(await conversation.command("repair", conversation.sessionId)).toMatchObject({ exitCode: 0 });
    expect(lostSteps(await conversation.resume())).toEqual([]);
  }
}

export const playSessions = { hooks: playHooks, subagent: playSubagent, repair: playRepair } as const;
