// The real client on workers of a fleet: machines with one hub and a repository that all of them can clone.
import { beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type FakeAnthropic, fakeAnthropic } from "../support/anthropic/fake-anthropic.ts";
import { story } from "../support/anthropic/scenario.ts";
import type { TestPostgres } from "../support/hub/postgres.ts";
import { sharedPostgres, startTimeoutMs } from "../support/hub/shared-postgres.ts";
import { runAiRuntime, startAiRuntime, step } from "../support/runs/runs.ts";
import { newestClaude } from "../support/sandbox/claude-versions.ts";
import { installedSandbox } from "../support/sandbox/installed-sandbox.ts";
import { endLeftovers, leftoverProcesses } from "../support/sandbox/leftover-processes.ts";
import type { Sandbox } from "../support/sandbox/sandbox.ts";
import type { SandboxProcess } from "../support/sandbox/sandbox-process.ts";
import { until } from "../support/until.ts";

let postgres: TestPostgres;
beforeAll(async () => void (postgres = await sharedPostgres()), startTimeoutMs);

interface Fleet {
  readonly database: string;
  readonly repo: string;
}

/** One hub, and a repository with one file. */
async function found(api: FakeAnthropic, first: Sandbox, ...others: Sandbox[]): Promise<Fleet> {
  const url = await postgres.createDatabase();
  const { stdout } = await runAiRuntime(first, api, ["hub", "init", url]);
  for (const other of others) {
    expect(await runAiRuntime(other, api, ["hub", "join"], { stdin: stdout })).toMatchObject({ exitCode: 0 });
  }
  const repo = join(first.root, "cart.git");
  for (const words of [
    ["git", "init", "--quiet", "--bare", "--initial-branch=main", repo],
    ["git", "checkout", "--quiet", "-B", "main"],
    ["git", "commit", "--quiet", "--allow-empty", "-m", "start"],
    ["git", "push", "--quiet", repo, "main"],
  ] as const) {
    expect(await first.run(words)).toMatchObject({ exitCode: 0 });
  }
  return { database: new URL(url).pathname.slice(1), repo: `file://${repo}` };
}

const bypass = ["--grant", "bypassPermissions"];

const startWorker = (sandbox: Sandbox, api: FakeAnthropic, ...words: string[]): SandboxProcess =>
  startAiRuntime(sandbox, api, ["worker", ...bypass, ...words]);

async function queue(sandbox: Sandbox, api: FakeAnthropic, { repo }: Fleet, task: string): Promise<string> {
  const words = ["run", task, "--fleet", "--repo", repo, "--dangerously-skip-permissions"];
  const queued = await runAiRuntime(sandbox, api, words);
  expect(queued).toMatchObject({ exitCode: 0 });
  return queued.stdout.trim();
}

interface ListedRun {
  id: string;
  state: string;
  claims: number;
  waitsFor: string | null;
}

async function runOf(sandbox: Sandbox, api: FakeAnthropic, id: string): Promise<ListedRun | undefined> {
  const { stdout } = await runAiRuntime(sandbox, api, ["queue", "list", "--fleet", "--ended", "--json"]);
  return (JSON.parse(stdout) as { runs: ListedRun[] }).runs.find((run) => run.id === id);
}

const untilState = (sandbox: Sandbox, api: FakeAnthropic, id: string, state: string): Promise<ListedRun> =>
  until(async () => {
    const run = await runOf(sandbox, api, id);
    return run?.state === state ? run : undefined;
  }, `run ${id} to be ${state}`);

async function patchOf(sandbox: Sandbox, api: FakeAnthropic, id: string): Promise<string> {
  return (await runAiRuntime(sandbox, api, ["queue", "result", id, "--patch"])).stdout;
}

const added = (patch: string): string[] =>
  patch
    .split("\n")
    .filter((line) => /^\+[^+]/.test(line))
    .map((line) => line.slice(1));

const worktrees = (sandbox: Sandbox): string[] => {
  const directory = join(sandbox.home, ".local/state/ai-runtime/fleet/work");
  return existsSync(directory) ? readdirSync(directory) : [];
};

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
};

/** The way of a run through the fleet, by the journal of the database. */
const journalOf = (fleet: Fleet, id: string): Promise<{ what: string; fence: number }[]> =>
  postgres.query(
    `SELECT what, fence::int AS fence FROM ai_runtime.journal WHERE subject = 'fleet-${id}' ORDER BY n`,
    fleet.database,
  );

test("a task queued on A runs on B's worker: A sees its output live, and gets answer, branch and patch", async () => {
  await using a = await installedSandbox("none");
  await using b = await installedSandbox(newestClaude);
  await using api = await fakeAnthropic(story().callsTool("Bash", step("one")).says("Wrote one."));
  const fleet = await found(api, a, b);
  const id = await queue(a, api, fleet, "One step");
  expect(await runOf(a, api, id)).toMatchObject({ state: "queued" });
  const watching = startAiRuntime(a, api, ["attach", id]);
  await watching.untilError(/waits for a worker/);
  const worker = startWorker(b, api, "--drain", "--push");
  await watching.untilOutput(/tee -a steps\.txt/);
  await watching.finished;
  expect(await worker.finished).toMatchObject({ exitCode: 0 });
  expect(await runOf(a, api, id)).toMatchObject({ state: "done", claims: 1 });
  const result = await runAiRuntime(a, api, ["queue", "result", id]);
  expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Wrote one.") });
  const patch = await patchOf(a, api, id);
  expect(added(patch)).toEqual(["one"]);
  const branch = await a.run(["git", "ls-remote", fleet.repo, `ai-runtime/${id}`]);
  expect(branch.stdout).toContain(`refs/heads/ai-runtime/${id}`);
  expect(worktrees(b)).toEqual([]);
  expect(await journalOf(fleet, id)).toEqual([
    { what: "claim", fence: 1 },
    { what: "finish", fence: 1 },
  ]);
});

test("at a limit of one account, a worker with another one continues at once, with the whole history and the files", async () => {
  await using a = await installedSandbox(newestClaude);
  await using b = await installedSandbox(newestClaude);
  await using limited = await fakeAnthropic(
    story().callsTool("Bash", step("one")).fails.limit({ resetsInSeconds: 3_600, times: Infinity }),
  );
  await using other = await fakeAnthropic(story().callsTool("Bash", step("two")).says("All done."));
  const fleet = await found(limited, a, b);
  const id = await queue(a, limited, fleet, "Two steps");
  expect(await startWorker(a, limited, "--account", "one", "--drain").finished).toMatchObject({ exitCode: 0 });
  expect(await runOf(a, limited, id)).toMatchObject({ state: "waiting", waitsFor: "one", claims: 1 });
  const seen = await runAiRuntime(a, limited, ["status", "--fleet", "--json"]);
  const { accounts } = JSON.parse(seen.stdout) as { accounts: { name: string; limitedUntil: number | null }[] };
  expect(accounts.find(({ name }) => name === "one")?.limitedUntil).toBeGreaterThan(Date.now());

  expect(await startWorker(b, other, "--account", "two", "--drain").finished).toMatchObject({ exitCode: 0 });
  expect(await runOf(a, limited, id)).toMatchObject({ state: "done", claims: 2 });
  expect(added(await patchOf(a, limited, id))).toEqual(["one", "two"]);
  const told = other.mainRequests.at(-1)?.conversationText ?? "";
  for (const words of ["Two steps", "\none\n", "continues on another machine"]) {
    expect(told).toContain(words);
  }
  // The first worker still has the limit, and removes what it had of the run.
  expect(await startWorker(a, limited, "--account", "one", "--drain").finished).toMatchObject({ exitCode: 0 });
  expect([...worktrees(a), ...worktrees(b)]).toEqual([]);
});

test("a worker killed with everything around it is replaced when its lease has ended", async () => {
  await using a = await installedSandbox(newestClaude);
  await using b = await installedSandbox(newestClaude);
  await using api = await fakeAnthropic(
    story().callsTool("Bash", step("one")).hangs().callsTool("Bash", step("two")).says("All done."),
  );
  const fleet = await found(api, a, b);
  const id = await queue(a, api, fleet, "Two steps");
  startWorker(a, api);
  await api.request(2);
  // The files are saved every few seconds, and the background process replicates them.
  await until(async () => {
    const rows = await postgres.query<{ found: boolean }>(
      `SELECT count(DISTINCT kind) = 3 AS found FROM ai_runtime.subject WHERE seq > 0`,
      fleet.database,
    );
    return rows[0]?.found;
  }, "session, run and files to be in the hub");
  await endLeftovers(a.root);
  const killedAt = Date.now();
  startWorker(b, api);
  await untilState(b, api, id, "done");
  expect(await runOf(b, api, id)).toMatchObject({ claims: 2 });
  const [taken] = await postgres.query<{ at: Date }>(
    `SELECT at FROM ai_runtime.journal WHERE subject = 'fleet-${id}' AND what = 'claim' AND fence = 2`,
    fleet.database,
  );
  // The lease, and one look for work.
  expect((taken?.at.getTime() ?? 0) - killedAt).toBeLessThan(19_000);
  const told = api.mainRequests.at(-1)?.conversationText ?? "";
  expect(told).toContain("continues on another machine");
  expect(added(await patchOf(b, api, id)).at(-1)).toBe("two");
});

test("stop from A ends a run on B for good, with its claude", async () => {
  await using a = await installedSandbox("none");
  await using b = await installedSandbox(newestClaude);
  await using api = await fakeAnthropic(story().callsTool("Bash", step("one")).hangs());
  const fleet = await found(api, a, b);
  const id = await queue(a, api, fleet, "Two steps");
  const worker = startWorker(b, api);
  await api.request(2);
  expect(await runAiRuntime(a, api, ["stop", id])).toMatchObject({ exitCode: 0 });
  await worker.untilError(/: stopped/);
  await until(() => worktrees(b).length === 0, "the working tree to be removed");
  expect(await runOf(a, api, id)).toMatchObject({ state: "stopped" });
  worker.signal("SIGTERM");
  expect(await worker.finished).toMatchObject({ exitCode: 0 });
  expect(await startWorker(b, api, "--drain").finished).toMatchObject({ exitCode: 0 });
  expect(await journalOf(fleet, id)).toEqual([
    { what: "claim", fence: 1 },
    { what: "stop", fence: 2 },
  ]);
  const claudes = leftoverProcesses(b.root).filter((pid) => commandOf(pid).includes("--session-id"));
  expect(claudes).toEqual([]);
});
