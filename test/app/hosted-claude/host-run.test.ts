import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { HostRun } from "../../../src/app/hosted-claude/host-run.ts";
import type { HostedEnd } from "../../../src/core/host/frames.ts";
import { RunPaths } from "../../../src/store/runs/run-paths.ts";
import { requestStop } from "../../../src/store/runs/run-registry.ts";
import { onlyRun } from "../../support/runs/runs.ts";
import { createSandbox } from "../../support/sandbox/sandbox.ts";
import { addRun } from "../../support/runs/scripted-claude.ts";

const id = "20261117-090000-aaaa";
const success: HostedEnd = { exitCode: 0, signal: null };
const error: HostedEnd = { exitCode: 1, signal: null };
const terminated: HostedEnd = { exitCode: 143, signal: "SIGTERM" };
const killed: HostedEnd = { exitCode: 137, signal: "SIGKILL" };
type StopCause = Parameters<HostRun["ended"]>[1];

test.each<
  [what: string, end: HostedEnd, stopCause: StopCause, stop: boolean, phase: string, cause: string | null, exit: string]
>([
  ["the program succeeds", success, undefined, false, "done", null, "done"],
  ["the program fails", error, undefined, false, "failed", "error", "failed"],
  ["a signal from outside kills the program", killed, undefined, false, "paused", "killed", "stopped"],
  ["the user ends the program by a signal", terminated, undefined, false, "failed", "crash", "failed"],
  ["the user interrupts the host", error, "interrupted", false, "paused", "interrupted", "stopped"],
  ["the system shuts down", killed, "shutdown", false, "paused", "shutdown", "stopped"],
  ["the user stops the run", error, "shutdown", true, "stopped", "stopped", "stopped"],
])("records how the run ended when %s", async (_, end, stopCause, stop, phase, cause, exit) => {
  await using sandbox = await createSandbox({ claude: "none" });
  const paths = new RunPaths(`${sandbox.home}/.local/state/ai-runtime`);
  addRun(sandbox, id, { phase: "working", attempts: 1 }, { kind: "interactive" });
  const run = new HostRun(paths, id, () => 1_794_900_000_000);
  expect(() => new HostRun(paths, id, Date.now)).toThrow("is already running");
  if (stop) requestStop(paths, id, 1);
  run.ended(end, stopCause);
  run.release();
  expect(onlyRun(sandbox).status).toMatchObject({ phase, cause, exit, until: null } as object);
  // Only a run that can be resumed keeps its lock file.
  expect(existsSync(paths.lock(id))).toBe(phase === "paused");
});

test("records a wait for a limit, why it does not end, and its end", async () => {
  await using sandbox = await createSandbox({ claude: "none" });
  const paths = new RunPaths(`${sandbox.home}/.local/state/ai-runtime`);
  addRun(sandbox, id, { phase: "working", attempts: 1 }, { kind: "interactive" });
  const run = new HostRun(paths, id, () => 1_794_900_000_000);
  run.waiting(1_794_900_500_000);
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "waiting-limit", until: 1_794_900_500_000, cause: "limit" });
  run.held("typing");
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "waiting-limit", until: null, cause: "typing" });
  run.working();
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "working", until: null });
  run.release();
});
