// Which host records are removed, which are kept, and which one attach chooses.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { findAttachable } from "../../../src/app/host/find-attachable.ts";
import { removeOldHosts } from "../../../src/app/host/registry.ts";
import { identifyProcess } from "../../../src/io/process/process.ts";
import { type HostRecord, HostRecords } from "../../../src/store/hosts/host-records.ts";
import { RunPaths } from "../../../src/store/runs/run-paths.ts";
import { createSandbox } from "../../support/sandbox/sandbox.ts";
import { addRun } from "../../support/runs/scripted-claude.ts";

const day = 86_400_000;
const longAgo = Date.now() - 40 * day;
const host = identifyProcess(process.pid);
if (!host) throw new Error("this process is not known");
const alive = { host, program: null, socket: "/nowhere" };
const dead = { ...alive, host: { ...host, startTime: "0" } };

function record(id: string, changes: Partial<HostRecord> = {}): HostRecord {
  const start = { id, command: ["/bin/true"], name: "true", directory: "/" };
  const plan = { ...start, size: { columns: 80, rows: 24 }, greeting: null, sessionId: null, created: longAgo };
  return { version: 1, plan, running: dead, session: null, end: null, ...changes };
}

const paused = "20260901-100000-aaaa";
const diedOpen = "20260901-100000-bbbb";
const stopped = "20260901-100000-cccc";

const ended = (time: number): HostRecord["end"] => ({ exitCode: 0, signal: null, time });

test("removes records of old hosts, and keeps running and resumable ones", async () => {
  await using sandbox = await createSandbox({ claude: "none" });
  const records = new HostRecords(join(sandbox.home, ".local/state/ai-runtime"));
  addRun(sandbox, paused, { phase: "paused", cause: "shutdown" });
  addRun(sandbox, diedOpen, { phase: "working" });
  addRun(sandbox, stopped, { phase: "stopped" });
  for (const each of [
    record("over", { end: ended(longAgo) }),
    record("just-over", { end: ended(Date.now() - day) }),
    record(paused, { end: ended(longAgo) }),
    record(diedOpen),
    record("died-closed"),
    record(stopped),
    record("running", { running: alive }),
    record("never-started", { running: null }),
  ]) {
    records.write(each);
  }
  removeOldHosts(currentEnvironment(sandbox.env));
  const left = records.all().map(({ plan }) => plan.id);
  expect(left.sort()).toEqual([paused, diedOpen, "just-over", "running"]);
});

test("rejects a record with a wrong field or a wrong name", async () => {
  await using sandbox = await createSandbox({ claude: "none" });
  const root = join(sandbox.home, ".local/state/ai-runtime");
  const records = new HostRecords(root);
  const whole = record("whole", { session: { id: "s", transcriptPath: null }, end: ended(longAgo) });
  records.write(whole);
  expect(records.read("whole")).toEqual(whole);
  expect(records.read("../hosts/whole")).toBeUndefined();
  writeFileSync(join(root, "hosts/renamed.json"), JSON.stringify(whole));
  for (const [name, change] of Object.entries({
    "later-version": { version: 2 },
    "no-plan": { plan: undefined },
    "no-command": { plan: { ...whole.plan, id: "no-command", command: "rm" } },
    "no-process": { running: { ...alive, host: { pid: 1 } } },
    "no-session": { session: { id: 7, transcriptPath: null } },
    "no-moment": { end: { exitCode: 0, signal: null } },
    "no-signal": { end: { exitCode: 0, signal: 9, time: longAgo } },
  })) {
    const broken = { ...whole, plan: { ...whole.plan, id: name }, ...change };
    writeFileSync(join(root, `hosts/${name}.json`), JSON.stringify(broken));
  }
  expect(records.all()).toEqual([whole]);
});

test("attach without an id chooses a living host, not a newer dead one", async () => {
  await using sandbox = await createSandbox({ claude: "none" });
  const records = new HostRecords(join(sandbox.home, ".local/state/ai-runtime"));
  addRun(sandbox, paused, { phase: "working", supervisor: host });
  addRun(sandbox, diedOpen, { phase: "working", supervisor: dead.host });
  records.write(record(paused, { running: alive }));
  records.write(record(diedOpen));
  const environment = currentEnvironment(sandbox.env);
  const paths = new RunPaths(join(sandbox.home, ".local/state/ai-runtime"));
  expect(findAttachable(environment, paths, undefined).record.plan.id).toBe(paused);
});

test("removes many old records step by step, so that the start stays fast", async () => {
  await using sandbox = await createSandbox({ claude: "none" });
  const records = new HostRecords(join(sandbox.home, ".local/state/ai-runtime"));
  for (let at = 0; at < 150; at++) records.write(record(`old-${at}`, { end: ended(longAgo) }));
  const counts = [0, 0].map(() => {
    removeOldHosts(currentEnvironment(sandbox.env));
    return records.all().length;
  });
  expect(counts).toEqual([50, 0]);
});
