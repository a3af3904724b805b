// Replication with the built executable and a real PostgreSQL.
import { beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newRun } from "../../src/core/run/run-record.ts";
import { Journal } from "../../src/store/runs/journal.ts";
import { RunPaths } from "../../src/store/runs/run-paths.ts";
import { registerRun } from "../../src/store/runs/run-registry.ts";
import { agedSession } from "../support/worlds/age-snapshot.ts";
import { isPacked, runMaintenance } from "../support/worlds/maintenance.ts";
import { HubMachine } from "../support/hub/machine.ts";
import type { TestPostgres } from "../support/hub/postgres.ts";
import { sharedPostgres, startTimeoutMs } from "../support/hub/shared-postgres.ts";
import { readFromHub } from "../support/hub/read-hub.ts";
import { until } from "../support/until.ts";

let postgres: TestPostgres;
beforeAll(async () => void (postgres = await sharedPostgres()), startTimeoutMs);

const runId = "20261117-085512-k3f9";
const session = "11111111-2222-4333-8444-555555555555";

async function machineWithHub(options: { background?: boolean } = {}): Promise<HubMachine> {
  const machine = new HubMachine(options);
  await machine.init(await postgres.createDatabase());
  return machine;
}

const sync = (machine: HubMachine) => machine.succeed(["hub", "sync", "--json"]);
const database = (machine: HubMachine): string => new URL(machine.config().url).pathname.slice(1);

test("every byte of a session reaches the hub, in all generations, with side files and steps", async () => {
  using machine = await machineWithHub();
  machine.grow(session, 300_000, "first");
  const side = join(machine.transcript(session).replace(/\.jsonl$/, ""), "subagents");
  mkdirSync(side, { recursive: true });
  writeFileSync(join(side, "agent-a.jsonl"), '{"type":"user"}\n');
  await machine.hook(session);
  await sync(machine);
  const first = machine.read(session);
  appendFileSync(join(side, "agent-a.jsonl"), '{"type":"assistant"}\n');
  machine.grow(session, 100_000, "second");
  await machine.hook(session, "PostToolUse", {
    tool_name: "Bash",
    tool_use_id: "t1",
    tool_input: {},
    tool_response: {},
  });
  await machine.hook(session);
  await sync(machine);
  const grown = machine.read(session);
  machine.overwrite(session, "");
  machine.grow(session, 250_000, "rewritten");
  await machine.hook(session);
  await sync(machine);
  const inHub = await readFromHub(machine, session);
  expect(inHub?.contents.get("mirror/1")).toEqual(grown);
  expect(inHub?.contents.get("mirror/2")).toEqual(machine.read(session));
  expect(inHub?.contents.get("side/subagents/agent-a.jsonl")?.toString()).toBe(
    '{"type":"user"}\n{"type":"assistant"}\n',
  );
  expect(inHub?.contents.get("steps")?.toString()).toContain("t1");
  expect(inHub?.manifest.documents["state"]).toBe(readFileSync(machine.files.statePath(session), "utf8"));
  expect(first.length).toBeLessThan(grown.length);
  // Each stream continued where it was: no byte was sent twice.
  const [sum] = await postgres.query<{ bytes: number }>(
    `SELECT sum(length)::int AS bytes FROM ai_runtime.chunk WHERE subject = '${session}'`,
    database(machine),
  );
  expect(sum?.bytes).toBe([...(inHub?.contents.values() ?? [])].reduce((total, { length }) => total + length, 0));
});

test("nothing is sent again when nothing changed, also without local notes", async () => {
  using machine = await machineWithHub();
  machine.grow(session, 300_000);
  await machine.hook(session);
  await sync(machine);
  const before = await readFromHub(machine, session);
  for (const forget of [false, true]) {
    if (forget) rmSync(join(machine.files.root, "hub-state.json"));
    expect(JSON.parse((await sync(machine)).stdout)).toMatchObject({ sent: 0, bytes: 0 });
  }
  expect((await readFromHub(machine, session))?.seq).toBe(before?.seq ?? -1);
});

test("the files of a project reach the hub as packs", async () => {
  using machine = await machineWithHub();
  machine.grow(session, 300_000);
  const project = join(machine.home, "work");
  mkdirSync(project);
  writeFileSync(join(project, "a.txt"), "one");
  await machine.hook(session, "Stop", { cwd: project });
  writeFileSync(join(project, "a.txt"), "two");
  await machine.hook(session, "Stop", { cwd: project });
  await sync(machine);
  const rows = await postgres.query<{ id: string; kind: string }>(
    "SELECT id, kind FROM ai_runtime.subject ORDER BY kind",
    database(machine),
  );
  expect(rows.map(({ kind }) => kind)).toEqual(["session", "workspace"]);
  const files = await readFromHub(machine, rows[1]?.id ?? "");
  const marks = JSON.parse(files?.manifest.documents["marks"] ?? "{}") as { marks: { tree: string }[] };
  expect(marks.marks.length).toBeGreaterThan(1);
  expect(JSON.parse(files?.manifest.documents["sent"] ?? "[]")).toEqual([
    ...new Set(marks.marks.map(({ tree }) => tree)),
  ]);
  for (const pack of files?.contents.values() ?? []) expect(pack.subarray(0, 4).toString()).toBe("PACK");
});

test("a packed session, and a run with its journal, reach the hub", async () => {
  using machine = await machineWithHub();
  await agedSession(machine, session, 30, { bytes: 300_000 });
  // The newest session of all is never packed.
  machine.grow("another-session", 1_000);
  await machine.hook("another-session");
  runMaintenance(machine);
  expect(isPacked(machine, session)).toBe(true);
  const paths = new RunPaths(join(machine.home, ".local/state/ai-runtime"));
  const directory = join(machine.home, "work/.ai-runtime/sessions", runId);
  mkdirSync(directory, { recursive: true });
  new Journal(join(directory, "journal.jsonl")).append(1, "step", { text: "one" });
  const where = { cwd: join(machine.home, "work"), directory, sessionId: session, claude: "/bin/claude" };
  const limits = { permissionMode: null, claudeConfig: machine.home, created: 1, maxWait: null, maxBudgetUsd: null };
  registerRun(paths, newRun({ id: runId, kind: "headless", task: "Do it", flags: [], ...where, ...limits }));
  await sync(machine);
  expect((await readFromHub(machine, session))?.contents.get("mirror/1")).toEqual(machine.read(session));
  const run = await readFromHub(machine, `run-${runId}`);
  expect(run?.contents.get("journal")?.toString()).toContain('"text":"one"');
  expect(JSON.parse(run?.manifest.documents["record"] ?? "")).toMatchObject({ plan: { task: "Do it" } });
});

describe("the background replicator", () => {
  test("starts with the first session of a machine, sends within seconds, and is one per machine", async () => {
    using machine = await machineWithHub({ background: true });
    // `hub init` has started one. Once it has made its notes it holds the lock, and a second one ends at once.
    await until(() => existsSync(join(machine.files.root, "hub-state.json")), "the replicator to start");
    await machine.succeed(["hub", "replicate"]);
    machine.grow(session, 300_000);
    await machine.hook(session);
    const started = performance.now();
    await until(
      async () => (await readFromHub(machine, session))?.contents.get("mirror/1")?.equals(machine.read(session)),
      "the session in the hub",
    );
    expect(performance.now() - started).toBeLessThan(20_000);
    const status = await until(async () => {
      const { lag } = JSON.parse((await machine.succeed(["hub", "status", "--json"])).stdout);
      return lag.waiting === 0 && lag;
    }, "the notes of the replicator");
    expect(status).toMatchObject({ problem: null, diverged: [] });
  });

  test("the hub away: hooks are unaffected, status names the lag and the reason, and it catches up by itself", async () => {
    using machine = await machineWithHub({ background: true });
    await postgres.stop("immediate");
    machine.grow(session, 300_000);
    await machine.hook(session);
    const away = await until(async () => {
      const status = await machine.hub(["status"]);
      return status.stderr.includes("The last try failed") && status;
    }, "the replicator to notice");
    expect(away.stderr).toContain("Not in the hub yet: 1");
    expect(away.stderr).toContain("cannot be reached");
    await postgres.startAgain();
    await until(
      async () => (await readFromHub(machine, session))?.contents.get("mirror/1")?.equals(machine.read(session)),
      "the session in the hub",
    );
  });
});

test("without a hub, a hook loads nothing of it and leaves nothing of it", async () => {
  using machine = new HubMachine();
  machine.grow(session, 300_000);
  await machine.hook(session, "SessionStart", { source: "startup" });
  await machine.hook(session, "SessionEnd", { reason: "exit" });
  for (const name of ["hub.json", "hub-state.json", "locks/.replicator.lock"]) {
    expect(await Bun.file(join(machine.files.root, name)).exists()).toBe(false);
  }
});
