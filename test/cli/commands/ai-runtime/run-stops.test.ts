// What ends a run before its task is done: Ctrl-C, a stop request, earlier or from another process, or a used-up budget.
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journalOf, onlyRun, runRecords, untilRun } from "../../../support/runs/runs.ts";
import { addRun, run, sandboxWithClaude } from "../../../support/runs/scripted-claude.ts";

const id = "20261117-090000-aaaa";
const tells = (line: object): string => `printf '%s\\n' '${JSON.stringify(line)}'`;
/** A claude that works until a signal ends it. */
const patient = "touch started; while :; do sleep 0.05; done";

function limited(): string {
  const info = { status: "rejected", resetsAt: Math.floor(Date.now() / 1_000) + 3_600 };
  const words = { model: "<synthetic>", content: [{ type: "text", text: "You have hit your limit" }] };
  return [
    tells({ type: "rate_limit_event", rate_limit_info: info }),
    tells({ type: "assistant", error: "rate_limit", is_api_error_message: true, message: words }),
    tells({ type: "result", subtype: "success", is_error: true, num_turns: 1 }),
    "exit 1",
  ].join("\n");
}

test("Ctrl-C during a limit wait ends the run at once, and shows how to continue", async () => {
  await using sandbox = await sandboxWithClaude(limited());
  const started = sandbox.spawn(["ai-runtime", "run", "Do it"]);
  await untilRun(sandbox, ({ status }) => status.phase === "waiting-limit");
  started.signal("SIGINT");
  const { plan } = onlyRun(sandbox);
  expect(await started.finished).toMatchObject({
    exitCode: 130,
    stderr: expect.stringContaining(`ai-runtime resume ${plan.id}`),
  });
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "paused", cause: "interrupted" });
});

test("a stop during a limit wait ends the run at once", async () => {
  await using sandbox = await sandboxWithClaude(limited());
  await run(sandbox, ["run", "Do it", "--detach"]);
  await untilRun(sandbox, ({ status }) => status.phase === "waiting-limit");
  expect(await run(sandbox, ["stop"])).toMatchObject({ exitCode: 0 });
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "stopped", until: null });
});

test("stop without an id refuses to choose between two runs; resume refuses a run that is active", async () => {
  await using sandbox = await sandboxWithClaude(patient);
  for (const task of ["One", "Two"]) await run(sandbox, ["run", task, "--detach"]);
  expect(await run(sandbox, ["stop"])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("2 runs are") });
  const ids = runRecords(sandbox).map(({ plan }) => plan.id);
  for (const each of ids) {
    expect(await run(sandbox, ["resume", each, "--detach"])).toMatchObject({ exitCode: 5, stdout: "" });
    expect(await run(sandbox, ["stop", each])).toMatchObject({ exitCode: 0 });
  }
  expect(runRecords(sandbox).map(({ status }) => status.phase)).toEqual(["stopped", "stopped"]);
  // The stop request has been carried out.
  expect(readdirSync(join(sandbox.home, ".local/state/ai-runtime/runs/stop"))).toEqual([]);
});

test("reports a stop by another process, without a hint to resume", async () => {
  await using sandbox = await sandboxWithClaude(patient);
  const started = sandbox.spawn(["ai-runtime", "run", "Do it"]);
  const { plan } = await untilRun(sandbox, ({ status }) => status.phase === "working");
  expect(await run(sandbox, ["stop", plan.id])).toMatchObject({ exitCode: 0 });
  const ended = await started.finished;
  expect(ended).toMatchObject({ exitCode: 130, stdout: "" });
  expect(ended.stderr).toContain("■ stopped for good.");
  const last = journalOf(onlyRun(sandbox)).findLast(({ kind }) => kind === "transition");
  expect(last).toMatchObject({ signal: { kind: "stop" }, phase: "stopped" });
});

test("a stop request without a supervisor applies to the next one", async () => {
  await using sandbox = await sandboxWithClaude(patient);
  addRun(sandbox, id, { phase: "working", attempts: 1 });
  const wishes = join(sandbox.home, ".local/state/ai-runtime/runs/stop");
  mkdirSync(wishes, { recursive: true, mode: 0o700 });
  writeFileSync(join(wishes, id), "{}");
  expect(await run(sandbox, ["recover", "--dry-run"])).toMatchObject({ exitCode: 0, stdout: "" });
  expect(await run(sandbox, ["resume", id])).toMatchObject({ exitCode: 130 });
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "stopped" });
  expect(existsSync(join(sandbox.projectDir, "started"))).toBeFalse();
});

test("starts nothing when the budget is used up", async () => {
  await using sandbox = await sandboxWithClaude(patient);
  addRun(sandbox, id, { phase: "failed", cause: "budget", attempts: 1, costUsd: 0.5 }, { maxBudgetUsd: 0.5 });
  const resumed = await run(sandbox, ["resume", id]);
  expect(resumed).toMatchObject({ exitCode: 1, stdout: "" });
  expect(resumed.stderr).toContain("✘ the budget of --max-budget-usd is used up.");
  expect(existsSync(join(sandbox.projectDir, "started"))).toBeFalse();
});
