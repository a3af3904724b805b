// Runs with a shell script in place of claude, and forged run records.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasEnded, newRun, type RunRecord } from "../../../src/core/run/run-record.ts";
import { installedSandbox } from "../sandbox/installed-sandbox.ts";
import type { RunOptions, Sandbox } from "../sandbox/sandbox.ts";
import type { Finished } from "../sandbox/sandbox-process.ts";

/** A sandbox in which `claude` is this shell script. */
export async function sandboxWithClaude(script: string): Promise<Sandbox> {
  const sandbox = await installedSandbox("none");
  const claude = join(sandbox.binDir, "claude");
  writeFileSync(claude, `#!/bin/sh\n${script}\n`);
  chmodSync(claude, 0o755);
  return sandbox;
}

export const run = (sandbox: Sandbox, args: readonly string[], options: RunOptions = {}): Promise<Finished> =>
  sandbox.run(["ai-runtime", ...args], { ...options, env: { AI_RUNTIME_RETRY_SECONDS: "0.01", ...options.env } });

/** Writes a run record without a run. */
export function addRun(
  sandbox: Pick<Sandbox, "home" | "projectDir" | "configDir">,
  id: string,
  changes: Partial<RunRecord["status"]>,
  planned: Partial<RunRecord["plan"]> = {},
): void {
  const where = changes.phase !== undefined && hasEnded(changes.phase) ? "ended" : "active";
  const directory = join(sandbox.home, ".local/state/ai-runtime/runs", where);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const plan = { id, kind: "headless", task: `Task ${id}`, cwd: sandbox.projectDir, sessionId: `s-${id}` } as const;
  const more = {
    directory: `${sandbox.projectDir}/.ai-runtime/sessions/${id}`,
    claude: "claude",
    flags: [],
    permissionMode: null,
  };
  const rest = { claudeConfig: sandbox.configDir, created: 1_794_900_000_000, maxWait: null, maxBudgetUsd: null };
  const record = newRun({ ...plan, ...more, ...rest, ...planned });
  const text = JSON.stringify({ ...record, status: { ...record.status, ...changes } });
  writeFileSync(join(directory, `${id}.json`), text);
}
