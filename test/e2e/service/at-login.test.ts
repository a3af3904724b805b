// The start at login under a real `systemd --user`, with the real client. A reboot: everything is killed, and the next systemd
// and its programs see another boot id.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BootRecord } from "../../../src/core/run/boot-recovery.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { callsTool, hangs, says, type Reply } from "../../support/anthropic/replies.ts";
import type { RecordedRequest } from "../../support/anthropic/recorded-request.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { restoredHeader } from "../../support/runs/cclaude.ts";
import { runAiRuntime, runRecords, stepsDone, untilRun } from "../../support/runs/runs.ts";
import { newestClaude } from "../../support/sandbox/claude-versions.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { endLeftovers } from "../../support/sandbox/leftover-processes.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import { systemdMissing, UserSystemd } from "../../support/service/user-systemd.ts";
import { hostRecord } from "../../support/terminal/host-world.ts";
import { untilTranscript } from "../../support/transcripts/until-transcript.ts";
import { until } from "../../support/until.ts";

const missing = await systemdMissing();
if (missing) console.error(`skipped: ${missing}`);

const unit = "ai-runtime-at-login.service";
const stateOf = (sandbox: Sandbox): string => join(sandbox.home, ".local/state/ai-runtime");
const bootOf = (sandbox: Sandbox): BootRecord =>
  JSON.parse(readFileSync(join(stateOf(sandbox), "boot.json"), "utf8")) as BootRecord;
const logOf = (sandbox: Sandbox): string => readFileSync(join(stateOf(sandbox), "services/at-login.log"), "utf8");

/** Step one, then silence until the reboot; the continued conversation does step two and ends. */
const playTask =
  (name: string): Reply =>
  ({ conversationText }: RecordedRequest) => {
    const step = (n: string): Reply => callsTool("Bash", { command: `echo ${name}-${n} | tee -a steps.txt` });
    if (!conversationText.includes(`${name}-one`)) return step("one");
    if (!conversationText.includes(restoredHeader)) return hangs();
    return conversationText.includes(`${name}-two`) ? says(`${name} is done.`) : step("two");
  };

const tasks = ["alpha", "beta", "gamma"];
const play: Reply = (request) => {
  const name = tasks.find((each) => request.conversationText.includes(`Task ${each}`));
  return name === undefined ? says("What?") : playTask(name);
};

async function reboot(sandbox: Sandbox, systemd: UserSystemd, bootId: string): Promise<UserSystemd> {
  await systemd[Symbol.asyncDispose]();
  await endLeftovers(sandbox.root);
  return UserSystemd.start(sandbox, undefined, bootId);
}

const isHosted = (pid: number | undefined): boolean => pid !== undefined && existsSync(`/proc/${pid}/exe`);

const untilRecovered = (sandbox: Sandbox, bootId: string): Promise<unknown> =>
  until(
    () => bootOf(sandbox).bootId === bootId && bootOf(sandbox).state === "done",
    () => `the recovery: ${logOf(sandbox)}`,
  );

describe.skipIf(missing !== undefined)("after a reboot, systemd", () => {
  test("continues the interrupted runs and, when asked to, the hosted sessions, each step once", async () => {
    await using api = await fakeAnthropic(story().answers(play, { times: Infinity }));
    await using sandbox = await installedSandbox(newestClaude);
    await sandbox.trustProject();
    let systemd = await UserSystemd.start(sandbox);
    try {
      const given = Object.entries(sandbox.claudeEnv(api)).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
      const installed = await sandbox.run(["ai-runtime", "install", "--at-login", ...given]);
      expect([installed.exitCode, installed.stderr]).toEqual([0, expect.stringContaining("Installed.")]);
      const permitted = ["--permission-mode", "acceptEdits", "--allowedTools", "Bash"];
      const startTask = async (name: string, ...words: string[]): Promise<string> => {
        const started = await runAiRuntime(sandbox, api, ["run", `Task ${name}`, "--detach", ...words, ...permitted]);
        expect([started.exitCode, started.stderr]).toEqual([0, started.stderr]);
        await untilTranscript(sandbox, `"content":"${name}-one"`);
        return started.stdout.trim();
      };
      const alpha = await startTask("alpha");
      const beta = await startTask("beta", "--interactive");
      const gamma = await startTask("gamma");
      await runAiRuntime(sandbox, api, ["stop", gamma]);
      expect(systemd.facts(unit)).toMatchObject({ LoadState: "loaded", ActiveState: "inactive" });

      systemd = await reboot(sandbox, systemd, "boot-two");
      await untilRecovered(sandbox, "boot-two");
      await untilRun(sandbox, ({ plan, status }) => plan.id === alpha && status.phase === "done");
      // The recovery has ended, and what it started stays. Its end does not stop the unit's other processes.
      await systemd.until(unit, ({ ActiveState, Result }) => ActiveState === "inactive" && Result === "success");
      const first = bootOf(sandbox);
      const log = logOf(sandbox);
      expect(first.taken.map(({ id }) => id)).toEqual([alpha]);
      // Claude's prompt cache is still warm, so there is nothing to estimate.
      expect(log).toContain(" 1 to continue (recoverAtLogin: runs)\n");
      expect(log).toContain(`left to you (recoverAtLogin: runs): session ${beta} in ${sandbox.projectDir}; `);
      expect(stepsDone(sandbox).sort()).toEqual(["alpha-one", "alpha-two", "beta-one", "gamma-one"]);

      // A second start in the same boot, as at the next login, does nothing.
      systemd.systemctl("start", unit);
      await until(() => logOf(sandbox).includes("this boot was recovered"), "the second start");
      expect(bootOf(sandbox)).toEqual(first);

      const config = join(sandbox.home, ".config/session-snapshot/config.json");
      mkdirSync(dirname(config), { recursive: true });
      writeFileSync(config, JSON.stringify({ recoverAtLogin: "all" }));
      systemd = await reboot(sandbox, systemd, "boot-three");
      await untilRecovered(sandbox, "boot-three");
      await untilTranscript(sandbox, "beta is done.");
      expect(bootOf(sandbox).taken.map(({ id }) => id)).toEqual([beta]);
      expect(stepsDone(sandbox).sort()).toEqual(["alpha-one", "alpha-two", "beta-one", "beta-two", "gamma-one"]);
      const phases = Object.fromEntries(runRecords(sandbox).map(({ plan, status }) => [plan.id, status.phase]));
      expect(phases).toEqual({ [alpha]: "done", [beta]: "working", [gamma]: "stopped" });
      expect(runRecords(sandbox).map(({ plan }) => plan.permissionMode)).toEqual(Array(3).fill("acceptEdits"));

      // What it has continued outlives the removal.
      const removed = await sandbox.run(["ai-runtime", "uninstall", "--at-login"]);
      expect([removed.exitCode, removed.stderr]).toEqual([0, expect.stringContaining(`remove `)]);
      expect(systemd.facts(unit)).toMatchObject({ LoadState: "not-found", ActiveState: "inactive" });
      const left = readdirSync(sandbox.home, { recursive: true, encoding: "utf8" });
      expect(left.filter((path) => /at-login|boot\.json|boot\.lock/.test(path))).toEqual([]);
      expect(existsSync(join(sandbox.home, ".ai-runtime"))).toBeFalse();
      expect(isHosted(hostRecord(sandbox, beta).running?.host.pid)).toBeTrue();
    } finally {
      await endLeftovers(sandbox.root);
      await systemd[Symbol.asyncDispose]();
    }
  });
});
