import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newRun } from "../../src/core/run/run-record.ts";
import { type Case, measure } from "./measure.ts";
import { type Bench, compare, type Row } from "./rows.ts";

const ended = 10_000;

/** Compares status with many runs, status without runs, and a plain listing of the directory. */
export async function statusRows({ executable, home, env, rounds }: Bench): Promise<Row[]> {
  const state = join(home, ".local/state/ai-runtime");
  const directory = join(state, "runs/ended");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (let n = 0; n < ended; n++) writeEnded(directory, home, `20261001-${String(n).padStart(6, "0")}-aaaa`);
  const status: Case = { name: "status with 10,000 runs", command: [executable, "status"] };
  const others: Case[] = [
    { name: "status without runs", command: ["env", `XDG_STATE_HOME=${join(home, "none")}`, executable, "status"] },
    { name: "ls of 10,000 names", command: ["ls", directory] },
  ];
  const timings = await measure([status, ...others], rounds, env);
  rmSync(state, { recursive: true });
  const [none, list] = others.map(({ name }) => name);
  const beside = compare(timings, status.name, none ?? "", undefined);
  const milliseconds = beside.timing?.median ?? Number.POSITIVE_INFINITY;
  return [
    beside,
    {
      ...compare(timings, status.name, list ?? "", undefined),
      target: "< 500 ms",
      verdict: milliseconds < 500 ? "met" : "missed",
    },
  ];
}

export function writeEnded(directory: string, home: string, id: string): void {
  const record = newRun({
    id,
    kind: "headless",
    task: `Task ${id}`,
    cwd: home,
    directory: join(home, ".ai-runtime/sessions", id),
    sessionId: crypto.randomUUID(),
    claude: "/usr/bin/claude",
    flags: [],
    permissionMode: null,
    claudeConfig: join(home, ".claude"),
    created: 1_794_900_000_000,
    maxWait: null,
    maxBudgetUsd: null,
  });
  const text = JSON.stringify({ ...record, status: { ...record.status, phase: "done", exit: "done" } });
  writeFileSync(join(directory, `${id}.json`), text);
}
