// What the tests of `ai-runtime run` share: how it is started, and what it leaves behind.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunRecord } from "../../src/core/run-record.ts";
import { type JournalEntry, readJournal } from "../../src/store/journal.ts";
import { cclaudeSandbox } from "./cclaude.ts";
import type { ClaudeVersion } from "./claude-versions.ts";
import type { FakeAnthropic } from "./fake-anthropic.ts";
import type { AsCustomer, RunOptions, Sandbox, SpawnOptions } from "./sandbox.ts";
import type { Finished, SandboxProcess } from "./sandbox-process.ts";

export const runSandbox = (claude: ClaudeVersion): Promise<Sandbox> => cclaudeSandbox(claude);

const quick = { AI_RUNTIME_RETRY_SECONDS: "0.1" };

export function airuntime(
  sandbox: Sandbox,
  api: FakeAnthropic,
  args: readonly string[],
  options: RunOptions & AsCustomer = {},
): Promise<Finished> {
  const env = { ...sandbox.claudeEnv(api, options), ...quick, ...options.env };
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
    env: { ...sandbox.claudeEnv(api), ...quick, ...options.env },
  });
}

/** A step that leaves a line behind each time it is done. */
export const step = (name: string): { readonly command: string } => ({ command: `echo ${name} | tee -a steps.txt` });

/** Every time a step was done, in order. */
export function stepsDone(sandbox: Sandbox): string[] {
  return readFileSync(join(sandbox.projectDir, "steps.txt"), "utf8").trim().split("\n");
}

const stateOf = (sandbox: Sandbox): string => join(sandbox.home, ".local", "state", "ai-runtime");

/** The registry's records, oldest first. */
export function runRecords(sandbox: Sandbox): RunRecord[] {
  return ["active", "ended"]
    .flatMap((where) => {
      const directory = join(stateOf(sandbox), "runs", where);
      return namesIn(directory).flatMap((name) => readRecord(join(directory, name)) ?? []);
    })
    .sort((a, b) => (a.plan.id < b.plan.id ? -1 : 1));
}

/** Undefined when it has just moved on to the other directory. */
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

/** Settles when the record is as wanted. */
export async function untilRun(sandbox: Sandbox, wanted: (record: RunRecord) => boolean): Promise<RunRecord> {
  for (const deadline = performance.now() + 100_000; performance.now() < deadline;) {
    const found = runRecords(sandbox).find(wanted);
    if (found) return found;
    await Bun.sleep(20);
  }
  throw new Error(`no run came to be as wanted: ${JSON.stringify(runRecords(sandbox))}`);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}
