import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { HostRun } from "../../src/app/host-run.ts";
import type { HostedEnd } from "../../src/core/frames.ts";
import { RunPaths } from "../../src/store/run-paths.ts";
import { requestStop } from "../../src/store/run-registry.ts";
import { onlyRun } from "../support/runs.ts";
import { createSandbox } from "../support/sandbox.ts";
import { addRun } from "../support/scripted-claude.ts";

setDefaultTimeout(60_000);

const id = "20261117-090000-aaaa";
const well: HostedEnd = { exitCode: 0, signal: null };
const badly: HostedEnd = { exitCode: 1, signal: null };
const killed: HostedEnd = { exitCode: 137, signal: "SIGKILL" };
type Asked = Parameters<HostRun["ended"]>[1];

test.each<
  [what: string, end: HostedEnd, asked: Asked, stop: boolean, phase: string, cause: string | null, exit: string]
>([
  ["by itself, well", well, undefined, false, "done", null, "done"],
  ["by itself, with an error", badly, undefined, false, "failed", "error", "failed"],
  ["by a signal that nobody here sent", killed, undefined, false, "failed", "crash", "failed"],
  ["by a person's word", badly, "interrupted", false, "paused", "interrupted", "stopped"],
  ["by a shutdown", killed, "shutdown", false, "paused", "shutdown", "stopped"],
  ["by a stop", badly, "shutdown", true, "stopped", "stopped", "stopped"],
])("what a host's run has come to that ended %s", async (_, end, asked, stop, phase, cause, exit) => {
  await using sandbox = await createSandbox({ claude: "none" });
  const paths = new RunPaths(`${sandbox.home}/.local/state/ai-runtime`);
  addRun(sandbox, id, { phase: "working", attempts: 1 }, { kind: "interactive" });
  const run = new HostRun(paths, id, () => 1_794_900_000_000);
  expect(() => new HostRun(paths, id, Date.now)).toThrow("is running already");
  if (stop) requestStop(paths, id, 1);
  run.ended(end, asked);
  run.release();
  expect(onlyRun(sandbox).status).toMatchObject({ phase, cause, exit, until: null } as object);
  // Of what is over no lock is left; one that can be resumed may have one.
  expect(existsSync(paths.lock(id))).toBe(phase === "paused");
});

test("a host that waits for a limit says so, and until when", async () => {
  await using sandbox = await createSandbox({ claude: "none" });
  const paths = new RunPaths(`${sandbox.home}/.local/state/ai-runtime`);
  addRun(sandbox, id, { phase: "working", attempts: 1 }, { kind: "interactive" });
  const run = new HostRun(paths, id, () => 1_794_900_000_000);
  run.waiting(1_794_900_500_000);
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "waiting-limit", until: 1_794_900_500_000, cause: "limit" });
  run.working();
  expect(onlyRun(sandbox).status).toMatchObject({ phase: "working", until: null });
  run.release();
});
