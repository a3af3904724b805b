// `ai-runtime run` when claude reports success, but the task is not done.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { restoredHeader, skipPermissions } from "../../support/runs/cclaude.ts";
import type { RunRecord } from "../../../src/core/run/run-record.ts";
import { type ClaudeVersion, forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { type FakeAnthropic, fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import {
  journalOf,
  onlyRun,
  runAiRuntime,
  startAiRuntime,
  step,
  stepsDone,
  untilRun,
} from "../../support/runs/runs.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import { says } from "../../support/anthropic/replies.ts";
import { enableWrapUp, nearLimit } from "../../support/worlds/wrap-up.ts";
import { type Story, story } from "../../support/anthropic/scenario.ts";

const inBackground = { command: "python3 -c 'import time; time.sleep(600)'", run_in_background: true };

/** Registers a hook of the user that answers every event with this output. */
function addHook(sandbox: Sandbox, event: string, output: object): void {
  const hook = { type: "command", command: `echo '${JSON.stringify(output)}'` };
  mkdirSync(sandbox.configDir, { recursive: true });
  const settings = { hooks: { [event]: [{ matcher: "*", hooks: [hook] }] } };
  writeFileSync(join(sandbox.configDir, "settings.json"), JSON.stringify(settings));
}

const output = (sandbox: Sandbox): string => readFileSync(join(onlyRun(sandbox).plan.directory, "output.log"), "utf8");

async function play(version: ClaudeVersion, tale: Story): Promise<{ sandbox: Sandbox; api: FakeAnthropic }> {
  return { sandbox: await installedSandbox(version), api: await fakeAnthropic(tale) };
}

forEachClaude((version) => {
  const waitsForTasks = version === "2.1.326";
  const namesReasons = version !== "2.1.36";

  // 2.1.36 does not wait, and 2.1.197 may still answer the end of the command after a SIGTERM.
  const signals = ({ "2.1.326": ["SIGKILL", "SIGTERM"], "2.1.197": ["SIGKILL"], "2.1.36": [] } as const)[version];
  test.each([...signals])(
    "a run resumes a claude that %s ended while it waited for a background command",
    async (signal) => {
      const { sandbox, api } = await play(
        version,
        story().callsTool("Bash", inBackground).says("I wait for it.").says("All done.", { times: 2 }),
      );
      await using _sandbox = sandbox;
      await using _api = api;
      const run = startAiRuntime(sandbox, api, ["run", "Wait for it", skipPermissions]);
      const isWaiting = (record: RunRecord): boolean => journalOf(record).some(({ kind }) => kind === "result");
      const { child } = (await untilRun(sandbox, isWaiting)).status;
      process.kill(child?.pid ?? 0, signal);

      const ended = await run.finished;

      expect(ended).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
      expect(ended.stderr).toContain(`! claude ended unexpectedly (${signal}); resuming the task`);
      const resumed = api.mainRequests.find(({ lastText }) => lastText.includes(restoredHeader));
      expect(resumed?.lastText).toContain("python3 -c");
      expect(onlyRun(sandbox).status).toMatchObject({ phase: "done", attempts: 2 });
    },
  );

  // 2.1.36 reports no background tasks, and 2.1.326 waits for them.
  test.skipIf(version !== "2.1.197")(
    "a run resumes a claude that ended by itself and stopped its background command",
    async () => {
      const { sandbox, api } = await play(
        version,
        story().callsTool("Bash", inBackground).says("I wait for it.").says("All done."),
      );
      await using _sandbox = sandbox;
      await using _api = api;

      const run = await runAiRuntime(sandbox, api, ["run", "Wait for it", skipPermissions]);

      expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
      expect(run.stderr).toContain("! claude ended before the task was done (background tasks were still running");
      expect(onlyRun(sandbox).status).toMatchObject({ phase: "done", attempts: 2 });
    },
  );

  test.skipIf(!waitsForTasks)("a run is done when claude answered the end of its background command", async () => {
    const brief = { command: "python3 -c 'import time; time.sleep(1)'", run_in_background: true };
    const { sandbox, api } = await play(
      version,
      story().callsTool("Bash", brief).says("I wait for it.").says("All done."),
    );
    await using _sandbox = sandbox;
    await using _api = api;

    const run = await runAiRuntime(sandbox, api, ["run", "Wait for it", skipPermissions]);

    expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    const { costUsd, attempts } = onlyRun(sandbox).status;
    expect(attempts).toBe(1);
    // Three answers of the same size, in two results.
    expect(costUsd).toBeCloseTo(0.0009, 6);
  });

  test.skipIf(version !== "2.1.326")(
    "a run waits for the reset when the client told Claude to wrap up near the limit",
    async () => {
      const { sandbox, api } = await play(
        version,
        story()
          .callsTool("Bash", step("one"), { limit: { ...nearLimit, resetsInSeconds: 5 } })
          .says("One is written. Remaining: two.")
          .callsTool("Bash", step("two"))
          .says("All done."),
      );
      await using _sandbox = sandbox;
      await using _api = api;
      const run = await runAiRuntime(sandbox, api, ["run", "Write two steps", skipPermissions], {
        env: enableWrapUp(sandbox),
      });

      expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
      expect(run.stderr).toMatch(/! Claude wrapped up near the usage limit; waiting until \d\d:\d\d \(\d+s\)/);
      expect(stepsDone(sandbox)).toEqual(["one", "two"]);
      expect(onlyRun(sandbox).status).toMatchObject({ phase: "done", attempts: 2 });
    },
  );

  test("a run waits for the reset when only a subagent reached a limit", async () => {
    const call = { description: "Write", prompt: "Write it", subagent_type: "general-purpose" };
    const { sandbox, api } = await play(
      version,
      story()
        .callsTool(version === "2.1.36" ? "Task" : "Agent", { ...call, run_in_background: false })
        .fails.limit({ resetsInSeconds: 4 })
        .says("The subagent could not write it.")
        .callsTool("Bash", step("one"))
        .says("All done."),
    );
    await using _sandbox = sandbox;
    await using _api = api;

    const run = await runAiRuntime(sandbox, api, ["run", "Write a step", skipPermissions]);

    expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(run.stderr).toMatch(/! a subagent reached a usage limit; waiting until \d\d:\d\d/);
    expect(stepsDone(sandbox)).toEqual(["one"]);
  });

  describe("a run resumes a claude that stopped early", () => {
    test.skipIf(!namesReasons).each([
      ["pause_turn", story().says("Half.", { stopReason: "pause_turn" }).says("All done."), "stop_reason pause_turn"],
      ["an unknown reason", story().says("Half.", { stopReason: "nap" }).says("All done."), "stop_reason nap"],
    ])("%s", async (_, tale, reason) => {
      const { sandbox, api } = await play(version, tale);
      await using _sandbox = sandbox;
      await using _api = api;

      const run = await runAiRuntime(sandbox, api, ["run", "Do it", skipPermissions]);

      expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
      expect(run.stderr).toContain(`! claude ended before the task was done (${reason}); resuming the task`);
      expect(output(sandbox)).toContain(`(${reason})`);
    });

    test("empty answers after a step", async () => {
      const empty = version === "2.1.36" ? 1 : 2;
      const { sandbox, api } = await play(
        version,
        story().callsTool("Bash", step("one")).saysNothing({ times: empty }).says("All done."),
      );
      await using _sandbox = sandbox;
      await using _api = api;

      const run = await runAiRuntime(sandbox, api, ["run", "Do it", skipPermissions]);

      expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
      expect(run.stderr).toContain("! claude ended before the task was done (without an answer); resuming the task");
      expect(stepsDone(sandbox)).toEqual(["one"]);
    });

    test("too many answers over the output maximum", async () => {
      const { sandbox, api } = await play(
        version,
        story().says("Half", { stopReason: "max_tokens", times: 4 }).says("All done."),
      );
      await using _sandbox = sandbox;
      await using _api = api;

      const run = await runAiRuntime(sandbox, api, ["run", "Do it", skipPermissions]);

      expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
      expect(run.stderr).toContain("! claude ended before the task was done (API Error: Claude's response exceeded");
    });
  });

  describe("a run fails and prints the reason", () => {
    test.skipIf(!namesReasons).each([
      ["PreToolUse", { continue: false, stopReason: "Enough for today." }],
      ["PostToolUse", { continue: false, stopReason: "Enough for today." }],
      ["UserPromptSubmit", { continue: false, stopReason: "Enough for today." }],
      ["UserPromptSubmit", { decision: "block", reason: "Enough for today." }],
    ])("when a %s hook answers %o", async (event, answer) => {
      const { sandbox, api } = await play(version, story().callsTool("Bash", step("one")).says("All done."));
      await using _sandbox = sandbox;
      await using _api = api;
      addHook(sandbox, event, answer);

      const run = await runAiRuntime(sandbox, api, ["run", "Do it", skipPermissions]);

      const { plan, status } = onlyRun(sandbox);
      expect(run).toMatchObject({ exitCode: 1, stdout: "" });
      const sentence =
        event === "PreToolUse" ? "✘ a hook stopped claude" : "✘ a hook stopped claude: Enough for today.";
      expect(run.stderr).toContain(sentence);
      expect(run.stderr).toContain(`Resume with: ai-runtime resume ${plan.id}`);
      expect(output(sandbox)).toContain(sentence);
      expect(status).toMatchObject({ phase: "failed", cause: "hook", attempts: 1 });
      expect(api.mainRequests.length).toBeLessThanOrEqual(1);
    });

    test.skipIf(!namesReasons)("when a hook defers a tool call", async () => {
      const { sandbox, api } = await play(version, story().callsTool("Bash", step("one")).says("All done."));
      await using _sandbox = sandbox;
      await using _api = api;
      addHook(sandbox, "PreToolUse", {
        hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "defer" },
      });

      const run = await runAiRuntime(sandbox, api, ["run", "Do it", skipPermissions]);

      expect(run).toMatchObject({ exitCode: 1, stdout: "" });
      expect(run.stderr).toContain("✘ a hook deferred a tool call (Bash: echo one | tee -a steps.txt)");
      expect(onlyRun(sandbox).status).toMatchObject({ phase: "failed", cause: "deferred", attempts: 1 });
      expect(existsSync(join(sandbox.projectDir, "steps.txt"))).toBeFalse();
    });

    test("when Claude refuses", async () => {
      const { sandbox, api } = await play(
        version,
        story().answers(says("No.", { stopReason: "refusal" }), { times: 9 }),
      );
      await using _sandbox = sandbox;
      await using _api = api;

      const run = await runAiRuntime(sandbox, api, ["run", "Do it"]);

      expect(run).toMatchObject({ exitCode: 1, stdout: "" });
      expect(run.stderr).toMatch(
        /✘ Claude refused the request: API Error: .*(safeguards flagged|violate our Usage Policy)/,
      );
      expect(onlyRun(sandbox).status).toMatchObject({ phase: "failed", cause: "refusal", attempts: 1 });
      const entry = journalOf(onlyRun(sandbox)).findLast(({ kind }) => kind === "ended");
      expect(String(entry?.["message"])).toStartWith("API Error:");
    });
  });

  test.skipIf(!namesReasons)("a run is done when a Stop hook ends the turn after the answer", async () => {
    const { sandbox, api } = await play(version, story().says("All done."));
    await using _sandbox = sandbox;
    await using _api = api;
    addHook(sandbox, "Stop", { continue: false, stopReason: "Enough for today." });

    expect(await runAiRuntime(sandbox, api, ["run", "Do it"])).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
  });
});
