// Which records of hosts are forgotten, which never, and which of them attach means.
import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { currentEnvironment } from "../../src/app/environment.ts";
import { findAttachable } from "../../src/app/find-attachable.ts";
import { forgetOldHosts } from "../../src/app/hosts.ts";
import { identifyProcess } from "../../src/io/process.ts";
import { type HostRecord, HostRecords } from "../../src/store/host-records.ts";
import { RunPaths } from "../../src/store/run-paths.ts";
import { createSandbox } from "../support/sandbox.ts";
import { addRun } from "../support/scripted-claude.ts";

setDefaultTimeout(120_000);

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

test("what is long over is forgotten; what runs, or can be resumed, is not", async () => {
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
  forgetOldHosts(currentEnvironment(sandbox.env));
  const left = records.all().map(({ plan }) => plan.id);
  expect(left.sort()).toEqual([paused, diedOpen, "just-over", "running"]);
});

test("a record is believed whole or not at all, and under its own name", async () => {
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

test("attach without an id goes to one that lives, not to a newer one that has died", async () => {
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

test("a great many are forgotten little by little: somebody waits for the start", async () => {
  await using sandbox = await createSandbox({ claude: "none" });
  const records = new HostRecords(join(sandbox.home, ".local/state/ai-runtime"));
  for (let at = 0; at < 150; at++) records.write(record(`old-${at}`, { end: ended(longAgo) }));
  const counts = [0, 0].map(() => {
    forgetOldHosts(currentEnvironment(sandbox.env));
    return records.all().length;
  });
  expect(counts).toEqual([50, 0]);
});
