// Runs many tasks concurrently with random faults: every task finishes, no step is lost or repeated, no process is left.
// SOAK_TASKS=200 is the full test; SOAK_SEED repeats a failed one.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunRecord } from "../../../src/core/run/run-record.ts";
import { skipPermissions } from "../../support/runs/cclaude.ts";
import { newestClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { leftoverProcesses } from "../../support/sandbox/leftover-processes.ts";
import type { RecordedRequest } from "../../support/anthropic/recorded-request.ts";
import { callsTool, drops, failure, hangs, type Reply, says } from "../../support/anthropic/replies.ts";
import { runAiRuntime, runRecords, startAiRuntime } from "../../support/runs/runs.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { untilFile } from "../../support/until-file.ts";

const tasks = Number(process.env["SOAK_TASKS"] ?? 6);
const seed = Number(process.env["SOAK_SEED"] ?? 1);
const concurrency = 3;
const maxFaultsPerTask = 4;

const faults = [
  "limit",
  "overloaded",
  "server-error",
  "drop",
  "kill-claude",
  "kill-both",
  "none",
  "none",
  "none",
] as const;

/** Mulberry32: a number that depends only on the seed and the arguments, so the order of requests does not matter. */
function draw(...numbers: number[]): number {
  let state = numbers.reduce((sum, each) => Math.imul(sum ^ each, 0x9e3779b1) + 0x6d2b79f5, seed);
  state = Math.imul(state ^ (state >>> 15), state | 1);
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
  return ((state ^ (state >>> 14)) >>> 0) / 4_294_967_296;
}

const taskNumber = (text: string): number => Number(/Task (\d+): \d+ steps/.exec(text)?.[1] ?? -1);
const stepsOf = (task: number): number => 2 + (task % 3);
const promptOf = (task: number): string => `Task ${task}: ${stepsOf(task)} steps`;

class Model {
  readonly #sandbox: Sandbox;
  readonly #asked = new Map<number, number>();
  readonly playedFaults: string[] = [];

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /** Calls the first step that is not in the conversation yet, and reports the one before as a checkpoint. */
  readonly reply: Reply = async (request: RecordedRequest) => {
    const text = request.conversationText;
    const task = taskNumber(text);
    const asked = (this.#asked.get(task) ?? 0) + 1;
    this.#asked.set(task, asked);
    const before = this.playedFaults.filter((fault) => fault.endsWith(` ${task}`)).length;
    const fault = before < maxFaultsPerTask ? faults[Math.floor(draw(task, asked) * faults.length)] : "none";
    const done =
      Array.from({ length: stepsOf(task) }, (_, n) => n + 1).findLast((n) => text.includes(`did-${task}-${n}`)) ?? 0;
    if (fault !== undefined && fault !== "none") {
      this.playedFaults.push(`${fault} ${task}`);
      return this.#fault(fault, task, done);
    }
    if (done === stepsOf(task)) return says(`Finished ${task}.`);
    const saying = done === 0 ? "Beginning." : `<!-- CHECKPOINT: step ${done} of ${task} -->`;
    const command = `echo did-${task}-${done + 1} | tee -a steps-${task}.txt`;
    return callsTool("Bash", { command }, { saying });
  };

  async #fault(fault: Exclude<(typeof faults)[number], "none">, task: number, done: number): Promise<Reply> {
    switch (fault) {
      case "limit":
        return failure.limit({ resetsInSeconds: 1 });
      case "overloaded":
        return failure.overloaded();
      case "server-error":
        return failure.serverError();
      case "drop":
        return drops();
      case "kill-claude":
      case "kill-both": {
        const { plan, status } = recordOf(this.#sandbox, task);
        // A step that is not in the transcript yet cannot be restored, so the kill waits for it.
        if (done > 0) await this.#written(plan, `did-${task}-${done}`);
        if (fault === "kill-both") process.kill(status.supervisor?.pid ?? 0, "SIGKILL");
        process.kill(status.child?.pid ?? 0, "SIGKILL");
        return hangs();
      }
    }
  }

  async #written({ sessionId }: RunRecord["plan"], text: string): Promise<void> {
    const path = (await this.#sandbox.transcripts()).find((each) => each.includes(sessionId));
    if (path !== undefined) await untilFile(path, (content) => content.includes(`"content":"${text}`));
  }
}

function recordOf(sandbox: Sandbox, task: number): RunRecord {
  const found = runRecords(sandbox).find(({ plan }) => plan.task === promptOf(task));
  if (!found) throw new Error(`task ${task} has no record`);
  return found;
}

test(`${tasks} tasks finish with every step done once despite the faults of seed ${seed}`, async () => {
  await using sandbox = await installedSandbox(newestClaude);
  const model = new Model(sandbox);
  await using api = await fakeAnthropic(story().answers(model.reply, { times: Infinity }));
  const pending = Array.from({ length: tasks }, (_, n) => n + 1);
  const work = async (): Promise<void> => {
    for (let task = pending.shift(); task !== undefined; task = pending.shift()) {
      let ended = await startAiRuntime(sandbox, api, ["run", promptOf(task), skipPermissions]).finished;
      while (ended.signal === "SIGKILL") {
        ended = await runAiRuntime(sandbox, api, ["resume", recordOf(sandbox, task).plan.id]);
      }
      expect(ended).toMatchObject({ exitCode: 0, stdout: `Finished ${task}.\n` });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));

  expect(runRecords(sandbox).map(({ status }) => status.phase)).toEqual(Array(tasks).fill("done"));
  for (let task = 1; task <= tasks; task++) {
    const expected = Array.from({ length: stepsOf(task) }, (_, n) => `did-${task}-${n + 1}\n`).join("");
    expect(readFileSync(join(sandbox.projectDir, `steps-${task}.txt`), "utf8")).toBe(expected);
    expect(existsSync(join(recordOf(sandbox, task).plan.directory, "daemon.pid"))).toBeFalse();
  }
  expect(model.playedFaults.length).toBeGreaterThan(0);
  expect(await runAiRuntime(sandbox, api, ["recover", "--all", "--dry-run"])).toMatchObject({
    exitCode: 0,
    stdout: "",
  });
  expect(leftoverProcesses(sandbox.root)).toBeEmpty();
  console.error(`${model.playedFaults.length} faults in ${tasks} tasks`);
}, 3_600_000);
