// Shared by the tests of `ai-runtime run`: starting it and reading what it wrote.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunRecord } from "../../../src/core/run/run-record.ts";
import { type JournalEntry, readJournal } from "../../../src/store/runs/journal.ts";
import type { FakeAnthropic } from "../anthropic/fake-anthropic.ts";
import type { AsCustomer, RunOptions, Sandbox, SpawnOptions } from "../sandbox/sandbox.ts";
import type { Finished, SandboxProcess } from "../sandbox/sandbox-process.ts";
import { until } from "../until.ts";

const retrySoon = { AI_RUNTIME_RETRY_SECONDS: "0.1" };

export function runAiRuntime(
  sandbox: Sandbox,
  api: FakeAnthropic,
  args: readonly string[],
  options: RunOptions & AsCustomer = {},
): Promise<Finished> {
  const env = { ...sandbox.claudeEnv(api, options), ...retrySoon, ...options.env };
  return sandbox.run(["ai-runtime", ...args], { ...options, env });
}

export function startAiRuntime(
  sandbox: Sandbox,
  api: FakeAnthropic,
  args: readonly string[],
  options: SpawnOptions = {},
): SandboxProcess {
  return sandbox.spawn(["ai-runtime", ...args], {
    ...options,
    env: { ...sandbox.claudeEnv(api), ...retrySoon, ...options.env },
  });
}

/** A tool call that appends a line to steps.txt. */
export const step = (name: string): { readonly command: string } => ({ command: `echo ${name} | tee -a steps.txt` });

/** The lines of steps.txt: every execution of a step, in order. */
export function stepsDone(sandbox: Sandbox): string[] {
  return readFileSync(join(sandbox.projectDir, "steps.txt"), "utf8").trim().split("\n");
}

const stateDirectory = (sandbox: Sandbox): string => join(sandbox.home, ".local", "state", "ai-runtime");

/** The records of all runs, oldest first. */
export function runRecords(sandbox: Sandbox): RunRecord[] {
  return ["active", "ended"]
    .flatMap((where) => {
      const directory = join(stateDirectory(sandbox), "runs", where);
      return namesIn(directory).flatMap((name) => readRecord(join(directory, name)) ?? []);
    })
    .sort((a, b) => (a.plan.id < b.plan.id ? -1 : 1));
}

/** Undefined when the run has just ended and its record moved to the other directory. */
function readRecord(path: string): RunRecord | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as RunRecord;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

export function onlyRun(sandbox: Sandbox): RunRecord {
  const records = runRecords(sandbox);
  const [only] = records;
  if (!only || records.length > 1) throw new Error(`expected one run, found ${records.length}`);
  return only;
}

export const journalOf = ({ plan }: RunRecord): readonly JournalEntry[] =>
  readJournal(join(plan.directory, "journal.jsonl")).entries;

export const checkpointOf = ({ plan }: RunRecord): Record<string, unknown> =>
  JSON.parse(readFileSync(join(plan.directory, "checkpoint.json"), "utf8")) as Record<string, unknown>;

/** Waits until a record satisfies the predicate. */
export const untilRun = (sandbox: Sandbox, predicate: (record: RunRecord) => boolean): Promise<RunRecord> =>
  until(
    () => runRecords(sandbox).find(predicate),
    () => `a run in the expected state: ${JSON.stringify(runRecords(sandbox))}`,
  );

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}
