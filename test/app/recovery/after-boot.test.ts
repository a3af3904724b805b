// `recover --all --boot` with a shell script in place of claude; the records say which boot they are of.
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { continueAll } from "../../../src/app/recovery/continue-all.ts";
import { findRecoverable } from "../../../src/app/run-records/recover.ts";
import { runPathsOf } from "../../../src/app/run-records/register-run.ts";
import { projectDirectoryName } from "../../../src/claude/paths.ts";
import type { BootRecord } from "../../../src/core/run/boot-recovery.ts";
import type { RunPlan, RunStatus } from "../../../src/core/run/run-record.ts";
import { tryLock } from "../../../src/store/lock.ts";
import { requestStop } from "../../../src/store/runs/run-registry.ts";
import { Receiver } from "../../support/notify/receiver.ts";
import { addRun, run, sandboxWithClaude } from "../../support/runs/scripted-claude.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import { until } from "../../support/until.ts";

const earlier = { pid: 7, startTime: "1", bootId: "earlier" };
const bootNow = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
const idOf = (name: string): string => `20270115-080000-${name}`;
const stateOf = (sandbox: Sandbox): string => join(sandbox.home, ".local/state/ai-runtime");
const bootFile = (sandbox: Sandbox): string => join(stateOf(sandbox), "boot.json");
const bootOf = (sandbox: Sandbox): BootRecord => JSON.parse(readFileSync(bootFile(sandbox), "utf8")) as BootRecord;
const logOf = (sandbox: Sandbox): string => readFileSync(join(stateOf(sandbox), "services/at-login.log"), "utf8");

/** A claude that ends its task, records it like the real one, and notes each start with its session. */
const claude = `while [ $# -gt 0 ]; do case "$1" in --session-id|--resume) id=$2;; esac; shift; done
cat >/dev/null; echo "$id" >>"$HOME/starts"
answer='{"type":"assistant","uuid":"b","parentUuid":"v","sessionId":"'$id'","message":{"id":"n","role":"assistant","type":"message","stop_reason":"end_turn","content":[{"type":"text","text":"Done."}]}}'
project="$HOME/.claude/projects/$(pwd | tr -c 'a-zA-Z0-9\n' -)"; mkdir -p "$project"
echo '{"type":"user","uuid":"v","parentUuid":null,"sessionId":"'$id'","message":{"role":"user","content":"Do it"}}' >>"$project/$id.jsonl"
echo "$answer" >>"$project/$id.jsonl"
echo '{"type":"system","subtype":"init","session_id":"'$id'"}'; echo "$answer"
echo '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"Done.","total_cost_usd":0}'`;
const sessionOf = (name: string): string => `5d0b5f8e-0000-4000-8000-00000000${name}`;

const starts = (sandbox: Sandbox): string[] => {
  const path = join(sandbox.home, "starts");
  return existsSync(path)
    ? readFileSync(path, "utf8")
        .trim()
        .split("\n")
        .map((id) => id.slice(-4))
        .sort()
    : [];
};

function interrupt(sandbox: Sandbox, name: string, status: Partial<RunStatus> = {}, plan: Partial<RunPlan> = {}): void {
  const interrupted = { phase: "working", attempts: 1, since: Date.now(), supervisor: earlier, ...status } as const;
  addRun(sandbox, idOf(name), interrupted, { sessionId: sessionOf(name), ...plan });
}

const boot = (sandbox: Sandbox, ...words: string[]) =>
  run(sandbox, ["recover", "--all", "--boot", "--json", ...words], { cwd: "/" });
const isDone = (sandbox: Sandbox, name: string): boolean =>
  existsSync(join(stateOf(sandbox), "runs/ended", `${idOf(name)}.json`));
async function untilDone(sandbox: Sandbox, names: readonly string[]): Promise<void> {
  await until(() => names.every((name) => isDone(sandbox, name)), names.join());
  for (const name of names) {
    const path = join(stateOf(sandbox), "runs/ended", `${idOf(name)}.json`);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ status: { phase: "done" } });
  }
}

interface Answer {
  runs: { id: string }[];
  boot: { policy: string; end: string | null; left: { id: string }[]; failed: { id: string }[] };
}

test("continues exactly the runs that the reboot interrupted, and those only once", async () => {
  await using sandbox = await sandboxWithClaude(claude);
  interrupt(sandbox, "aaaa");
  interrupt(sandbox, "aaab", { phase: "paused", cause: "shutdown" });
  interrupt(sandbox, "aaac", { phase: "paused", cause: "interrupted" });
  interrupt(sandbox, "aaad", { phase: "failed", cause: "crash" });
  interrupt(sandbox, "aaae", { supervisor: { ...earlier, bootId: bootNow } });
  interrupt(sandbox, "aaaf", {}, { kind: "interactive" });
  interrupt(sandbox, "aab1", {}, { kind: "service" });
  interrupt(sandbox, "aab2", { phase: "done" });
  interrupt(sandbox, "aab3");
  mkdirSync(join(stateOf(sandbox), "runs/stop"), { mode: 0o700 });
  writeFileSync(join(stateOf(sandbox), "runs/stop", idOf("aab3")), "{}");
  const dry = JSON.parse((await boot(sandbox, "--dry-run")).stdout) as Answer;
  expect(existsSync(bootFile(sandbox))).toBeFalse();
  const first = await boot(sandbox);
  const answer = JSON.parse(first.stdout) as Answer;
  for (const each of [dry, answer]) {
    expect(each.runs.map(({ id }) => id)).toEqual([idOf("aaaa"), idOf("aaab")]);
    expect(each.boot).toMatchObject({ policy: "runs", end: "done", left: [{ id: idOf("aaaf") }], failed: [] });
  }
  expect(first.exitCode).toBe(0);
  await untilDone(sandbox, ["aaaa", "aaab"]);
  expect(starts(sandbox)).toEqual(["aaaa", "aaab"]);
  expect(bootOf(sandbox)).toMatchObject({ state: "done", bootId: bootNow, taken: [{ supervisor: earlier }, {}] });

  // A run that dies since is for the user, also when the recovery is called again.
  interrupt(sandbox, "aab4");
  const second = JSON.parse((await boot(sandbox)).stdout) as Answer;
  expect([second.runs, second.boot.end]).toEqual([[], null]);
  expect(JSON.parse((await boot(sandbox, "--dry-run")).stdout)).toMatchObject({ runs: [], boot: { end: null } });
  expect(starts(sandbox)).toHaveLength(2);

  // The next boot.
  writeFileSync(bootFile(sandbox), JSON.stringify({ ...bootOf(sandbox), bootId: "earlier" }));
  expect(JSON.parse((await boot(sandbox)).stdout)).toMatchObject({ runs: [{ id: idOf("aab4") }] });
  await untilDone(sandbox, ["aab4"]);
  expect(starts(sandbox)).toEqual(["aaaa", "aaab", "aab4"]);
});

test("a recovery that was killed continues with what it had not started", async () => {
  await using sandbox = await sandboxWithClaude(claude);
  interrupt(sandbox, "aaaa", { supervisor: { ...earlier, pid: 9 } });
  interrupt(sandbox, "aaab");
  interrupt(sandbox, "aaac");
  const taken = [idOf("aaaa"), idOf("aaab")].map((id) => ({ id, supervisor: earlier }));
  const begun: BootRecord = { version: 1, bootId: bootNow, state: "begun", time: 1, taken };
  writeFileSync(bootFile(sandbox), JSON.stringify(begun));
  // The first one has another supervisor than before it was taken: it was started.
  expect(JSON.parse((await boot(sandbox)).stdout)).toMatchObject({
    runs: [{ id: idOf("aaab") }, { id: idOf("aaac") }],
  });
  await untilDone(sandbox, ["aaab", "aaac"]);
  expect(starts(sandbox)).toEqual(["aaab", "aaac"]);
});

test("two recoveries at the same time start each run once", async () => {
  await using sandbox = await sandboxWithClaude(claude);
  for (const name of ["aaaa", "aaab"]) interrupt(sandbox, name);
  const both = await Promise.all([boot(sandbox), boot(sandbox)]);
  expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  await untilDone(sandbox, ["aaaa", "aaab"]);
  expect(starts(sandbox)).toEqual(["aaaa", "aaab"]);
});

test("ask continues nothing and names everything, and a damaged record of the boot counts as none", async () => {
  await using sandbox = await sandboxWithClaude(claude);
  interrupt(sandbox, "aaaa");
  writeFileSync(bootFile(sandbox), "{");
  const env = { AI_RUNTIME_RECOVER_AT_LOGIN: "ask", AI_RUNTIME_QUIET_HOURS: "00:00-23:59" };
  const { stdout, exitCode } = await run(sandbox, ["recover", "--all", "--boot", "--json"], { env });
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { runs: [], boot: { left: [{ id: idOf("aaaa") }] } }]);
  expect(logOf(sandbox)).toContain(
    `left to you (recoverAtLogin: ask): run ${idOf("aaaa")} in ${sandbox.projectDir}; continue it with: ai-runtime resume ${idOf("aaaa")}\n`,
  );
  expect([starts(sandbox), bootOf(sandbox).state]).toEqual([[], "done"]);
});

test("ask tells the user through the channels; words of the task stay off the network", async () => {
  await using sandbox = await sandboxWithClaude(claude);
  await using receiver = new Receiver("answers");
  interrupt(sandbox, "aaaa");
  interrupt(sandbox, "aaab", {}, { kind: "interactive" });
  const env = {
    AI_RUNTIME_RECOVER_AT_LOGIN: "ask",
    AI_RUNTIME_NOTIFY_WEBHOOK_URL: receiver.url,
    AI_RUNTIME_NOTIFY_INTERVAL_SECONDS: "0",
  };
  expect((await run(sandbox, ["recover", "--all", "--boot"], { env })).exitCode).toBe(0);
  await until(() => receiver.events.length === 2, "both questions");
  const told = receiver.received.flatMap(({ body }) => (JSON.parse(body) as { events: { id: string }[] }).events);
  const facts = { event: "needs-you", need: "interrupted" };
  expect(told.sort((one, other) => (one.id < other.id ? -1 : 1))).toMatchObject([
    { ...facts, source: "run", id: idOf("aaaa") },
    { ...facts, source: "session", id: idOf("aaab") },
  ]);
  expect(JSON.stringify(receiver.received)).toContain("was interrupted by a reboot and waits for you");
  expect(JSON.stringify(receiver.received)).not.toMatch(/Task |project/);
  expect(bootOf(sandbox)).toMatchObject({ state: "done", failed: [], left: [idOf("aaaa"), idOf("aaab")] });
});

test("waits while the quiet hours last, and an interruption leaves everything for the next call", async () => {
  await using sandbox = await sandboxWithClaude(claude);
  interrupt(sandbox, "aaaa");
  const env = { AI_RUNTIME_QUIET_HOURS: "00:00-23:59" };
  // At 23:59 they are over for a minute.
  await until(() => new Date().getHours() < 23 || new Date().getMinutes() < 58, "the next day", 180_000);
  const child = sandbox.spawn(["ai-runtime", "recover", "--all", "--boot"], { env });
  await child.untilError(/quiet hours/);
  expect(logOf(sandbox)).toContain("quiet hours: waits until 23:59\n");
  expect([starts(sandbox), existsSync(bootFile(sandbox))]).toEqual([[], false]);
  child.signal("SIGINT");
  expect((await child.finished).exitCode).not.toBe(0);
  expect(JSON.parse((await boot(sandbox)).stdout)).toMatchObject({ runs: [{ id: idOf("aaaa") }] });
  await untilDone(sandbox, ["aaaa"]);
});

test("runs that cannot be continued are named and do not stop the others; the log says what it costs", async () => {
  await using sandbox = await sandboxWithClaude(claude);
  const gone = join(sandbox.home, "gone");
  const file = join(sandbox.home, "file");
  writeFileSync(file, "");
  interrupt(sandbox, "aaaa", {}, { cwd: gone, directory: join(gone, ".ai-runtime/sessions", idOf("aaaa")) });
  interrupt(sandbox, "aaab", {}, { cwd: file, directory: join(file, ".ai-runtime/sessions", idOf("aaab")) });
  interrupt(sandbox, "aaac");
  writeFileSync(join(stateOf(sandbox), "runs/active", `${idOf("aaac")}.json`), '{"version":1');
  interrupt(sandbox, "aaad");
  mkdirSync(join(stateOf(sandbox), "locks"), { mode: 0o700 });
  const held = tryLock(join(stateOf(sandbox), "locks", `${idOf("aaad")}.lock`));
  interrupt(sandbox, "aaae");
  const sessionId = sessionOf("aaae");
  const project = join(sandbox.configDir, "projects", projectDirectoryName(sandbox.projectDir));
  mkdirSync(project, { recursive: true });
  const usage = {
    input_tokens: 10,
    cache_read_input_tokens: 42_000,
    cache_creation_input_tokens: 990,
    output_tokens: 5,
  };
  const message = { id: "m", role: "assistant", content: [{ type: "text", text: "Half." }], usage };
  const lines = [
    { type: "user", uuid: "u", parentUuid: null, sessionId, message: { role: "user", content: "SECRET words" } },
    // Its prompt cache has expired.
    { type: "assistant", uuid: "a", parentUuid: "u", sessionId, timestamp: "2026-11-17T08:00:00.000Z", message },
  ];
  writeFileSync(join(project, `${sessionId}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));

  const { exitCode, stdout } = await boot(sandbox);
  held?.release();
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([
    3,
    {
      runs: [{ id: idOf("aaae") }],
      unreadable: [idOf("aaac")],
      boot: { failed: [{ id: idOf("aaaa") }, { id: idOf("aaab") }] },
    },
  ]);
  const log = logOf(sandbox);
  expect(log).toContain("3 to continue (recoverAtLogin: runs); sends about 43k tokens of context again\n");
  expect(log).toContain(`not continued: run ${idOf("aaaa")} in ${gone}: run ${idOf("aaaa")} cannot be resumed: `);
  expect(log).toContain(`the record of run ${idOf("aaac")} cannot be read`);
  expect(log).toContain(
    `continued run ${idOf("aaae")} in ${sandbox.projectDir}; sends about 43k tokens of context again\n`,
  );
  expect(log).not.toContain("SECRET");
  expect(log).not.toContain("Task ");
  await untilDone(sandbox, ["aaae"]);
  expect([starts(sandbox), existsSync(gone)]).toEqual([["aaae"], false]);
  expect(readdirSync(join(stateOf(sandbox), "runs/active")).sort()).toHaveLength(4);
  rmSync(file);
});

test("does not start what the user stopped while it waited for its turn", async () => {
  await using sandbox = await sandboxWithClaude(claude);
  const environment = { ...currentEnvironment(sandbox.env), cwd: sandbox.projectDir };
  const paths = runPathsOf(environment);
  interrupt(sandbox, "aaaa", {}, { kind: "interactive" });
  interrupt(sandbox, "aaab", {}, { kind: "interactive" });
  interrupt(sandbox, "aaac");
  const { runs } = findRecoverable(environment, paths);
  expect(runs).toHaveLength(3);
  const messages: string[] = [];
  await continueAll(environment, paths, runs, {
    onStart({ plan }) {
      if (plan.id === idOf("aaab")) rmSync(paths.activeRun(plan.id));
      else requestStop(paths, plan.id, Date.now());
    },
    onContinued: ({ plan }) => messages.push(`continued ${plan.id}`),
    onFailed: (_, { message }) => messages.push(message),
  });
  expect(messages).toEqual(["aaaa", "aaab", "aaac"].map((name) => `${idOf(name)} was stopped or continued meanwhile`));
  expect(starts(sandbox)).toEqual([]);
});
