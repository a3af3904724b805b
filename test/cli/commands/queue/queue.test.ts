// The queue of the built program, with a script in place of claude that notes each start.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finishingClaude } from "../../../support/notify/finishing-claude.ts";
import { killProcesses } from "../../../support/queue/kill-processes.ts";
import { runRecords, untilRun } from "../../../support/runs/runs.ts";
import { run, sandboxWithClaude } from "../../../support/runs/scripted-claude.ts";
import type { Sandbox } from "../../../support/sandbox/sandbox.ts";
import { until } from "../../../support/until.ts";

/** The ids of all runs whose claude was started, in order. */
const starts = (sandbox: Sandbox): string[] => {
  const path = join(sandbox.home, "starts");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
};

async function queued(sandbox: Sandbox, task: string, ...words: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(sandbox, ["run", task, ...words]);
  expect([exitCode, stderr]).toEqual([0, stderr]);
  return stdout.trim();
}

const phaseOf = (sandbox: Sandbox, id: string): string | undefined =>
  runRecords(sandbox).find(({ plan }) => plan.id === id)?.status.phase;

const untilDone = (sandbox: Sandbox, id: string): Promise<unknown> =>
  untilRun(sandbox, ({ plan, status }) => plan.id === id && status.phase === "done");

interface Listed {
  readonly paused: boolean;
  readonly runs: { readonly id: string; readonly waitsFor: string | null; readonly priority: number }[];
}
const list = async (sandbox: Sandbox): Promise<Listed> =>
  JSON.parse((await run(sandbox, ["queue", "list", "--json"])).stdout) as Listed;

describe("a queued run", () => {
  test("starts at its time, once, in the background", async () => {
    await using sandbox = await sandboxWithClaude(finishingClaude);
    const before = Date.now();
    const id = await queued(sandbox, "Later", "--at", "2s");
    expect([phaseOf(sandbox, id), starts(sandbox)]).toEqual(["queued", []]);
    expect((await run(sandbox, ["status"])).stdout).toContain("queued → ");
    await untilDone(sandbox, id);
    expect(Date.now() - before).toBeGreaterThanOrEqual(2_000);
    expect(starts(sandbox)).toEqual([id]);
    await until(async () => (await list(sandbox)).runs.length === 0, "an empty queue");
  });

  test("can be attached to, and shows its output when it starts", async () => {
    await using sandbox = await sandboxWithClaude(finishingClaude);
    const id = await queued(sandbox, "Later", "--at", "2s");
    const attached = await run(sandbox, ["attach", id]);
    expect(attached).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Done.") });
    expect(attached.stderr).toContain(`Run ${id} is queued; its output follows when it starts.`);
  });

  test("follows another run, and is canceled when that was to succeed and did not", async () => {
    await using sandbox = await sandboxWithClaude(
      `case "$(cat go 2>/dev/null)" in '') exit 9;; esac\n${finishingClaude}`,
    );
    const first = await queued(sandbox, "First", "--at", "20h");
    const after = await queued(sandbox, "After", "--after", first);
    const success = await queued(sandbox, "Success", "--after-success", first);
    const both = await list(sandbox);
    expect(both.runs.map(({ id, waitsFor }) => [id, waitsFor])).toEqual([
      [first, "time"],
      [after, "run"],
      [success, "run"],
    ]);
    writeFileSync(join(sandbox.projectDir, "go"), "go");
    await run(sandbox, ["queue", "cancel", first]);
    await untilDone(sandbox, after);
    await untilRun(sandbox, ({ plan, status }) => plan.id === success && status.cause === "after");
    expect([phaseOf(sandbox, first), phaseOf(sandbox, success), starts(sandbox)]).toEqual([
      "stopped",
      "failed",
      [after],
    ]);
  });

  test("is canceled at its deadline, and a canceled run never starts", async () => {
    await using sandbox = await sandboxWithClaude(finishingClaude);
    await run(sandbox, ["queue", "pause"]);
    const late = await queued(sandbox, "Late", "--deadline", "1s");
    await untilRun(sandbox, ({ plan, status }) => plan.id === late && status.cause === "deadline");
    const canceled = await queued(sandbox, "Canceled", "--at", "now");
    expect(await run(sandbox, ["queue", "cancel", canceled])).toMatchObject({ exitCode: 0 });
    const stopped = await queued(sandbox, "Stopped", "--priority", "1");
    expect(await run(sandbox, ["stop", stopped])).toMatchObject({ exitCode: 0 });
    await run(sandbox, ["queue", "resume"]);
    await until(async () => (await list(sandbox)).runs.length === 0, "an empty queue");
    const phases = [canceled, stopped].map((id) => phaseOf(sandbox, id));
    expect([phases, starts(sandbox)]).toEqual([["stopped", "stopped"], []]);
  });

  test("whose project is gone fails, and the next one starts", async () => {
    await using sandbox = await sandboxWithClaude(finishingClaude);
    await run(sandbox, ["queue", "pause"]);
    const gone = join(sandbox.root, "gone");
    await sandbox.run(["mkdir", gone]);
    const lost = (await run(sandbox, ["run", "Lost", "--priority", "2"], { cwd: gone })).stdout.trim();
    const next = await queued(sandbox, "Next", "--priority", "1");
    rmSync(gone, { recursive: true });
    await run(sandbox, ["queue", "resume"]);
    await untilDone(sandbox, next);
    expect(runRecords(sandbox).find(({ plan }) => plan.id === lost)?.status).toMatchObject({
      phase: "failed",
      cause: "not-started",
    });
  });
});

test("the order is that of the queue: priorities, moves, pause and resume, one at a time", async () => {
  await using sandbox = await sandboxWithClaude(finishingClaude);
  expect(await run(sandbox, ["queue", "pause"])).toMatchObject({ exitCode: 0 });
  const ids: string[] = [];
  for (const [index, priority] of [0, 0, 5, 0].entries()) {
    ids.push(await queued(sandbox, `Task ${index}`, "--priority", String(priority)));
  }
  const [a = "", b = "", c = "", d = ""] = ids;
  expect((await list(sandbox)).runs.map(({ id }) => id)).toEqual([c, a, b, d]);
  await run(sandbox, ["queue", "move", d, "--to", "1"]);
  await run(sandbox, ["queue", "move", b, "--priority", "1"]);
  const { runs, paused } = await list(sandbox);
  expect([paused, runs.map(({ id }) => id)]).toEqual([true, [d, c, b, a]]);
  expect(starts(sandbox)).toEqual([]);
  await run(sandbox, ["queue", "resume"]);
  await untilDone(sandbox, a);
  expect(starts(sandbox)).toEqual([d, c, b, a]);
});

test("survives a kill of everything, and a reboot: recover starts what is due", async () => {
  await using sandbox = await sandboxWithClaude(finishingClaude);
  const due = await queued(sandbox, "Due", "--at", "1s", "--priority", "1");
  const later = await queued(sandbox, "Later", "--at", "20h");
  killProcesses(sandbox, "dispatch");
  // As after a reboot: the record of a start that did not happen names a process of another boot.
  const path = join(sandbox.home, ".local/state/ai-runtime/runs/active", `${due}.json`);
  const record = JSON.parse(readFileSync(path, "utf8")) as { status: object };
  const supervisor = { pid: process.pid, startTime: "0", bootId: "another" };
  writeFileSync(path, JSON.stringify({ ...record, status: { ...record.status, supervisor } }));
  // What the start at login runs.
  expect(await run(sandbox, ["recover", "--all", "--boot"])).toMatchObject({ exitCode: 0 });
  await untilDone(sandbox, due);
  expect([starts(sandbox), phaseOf(sandbox, later)]).toEqual([[due], "queued"]);
});

test("a run of another account waits for that account's variables", async () => {
  await using sandbox = await sandboxWithClaude(finishingClaude);
  const env = { CLAUDE_CODE_OAUTH_TOKEN: "another" };
  const id = (await run(sandbox, ["run", "Other", "--at", "1s"], { env })).stdout.trim();
  killProcesses(sandbox, "dispatch");
  const text = readFileSync(join(sandbox.home, ".local/state/ai-runtime/queue/journal.jsonl"), "utf8");
  expect(text).not.toContain("another");
  await until(async () => (await list(sandbox)).runs[0]?.waitsFor === "account", "the wait for the account");
  expect(starts(sandbox)).toEqual([]);
  await run(sandbox, ["queue", "list"], { env });
  await untilDone(sandbox, id);
});

describe("bad options", () => {
  test.each([
    [["--at", "soon"], /--at: "soon" is not a time; use for example 22:00/],
    [["--at", "tomorrow"], /has no time of day/],
    [["--at", "2h", "--deadline", "1h"], /--deadline is not after --at/],
    [["--after", "none"], /there is no run "none"/],
    [["--after", "a", "--after-success", "b"], /contradict each other/],
    [["--priority", "high"], /--priority must be a whole number/],
    [["--max-parallel", "0"], /--max-parallel must be a whole number from 1/],
    [["--when-available", "--interactive"], /cannot wait in the queue/],
  ])("%j", async (words, problem) => {
    await using sandbox = await sandboxWithClaude(finishingClaude);
    const refused = await run(sandbox, ["run", "Task", ...words]);
    expect([2, 4]).toContain(refused.exitCode ?? 0);
    expect(refused.stderr).toMatch(problem);
    expect(runRecords(sandbox)).toEqual([]);
  });
});
