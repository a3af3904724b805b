// The real client on two machines with one hub.
import { beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type FakeAnthropic, fakeAnthropic } from "../support/anthropic/fake-anthropic.ts";
import { story } from "../support/anthropic/scenario.ts";
import type { TestPostgres } from "../support/hub/postgres.ts";
import { sharedPostgres, startTimeoutMs } from "../support/hub/shared-postgres.ts";
import { restoredHeader, runCclaude, skipPermissions } from "../support/runs/cclaude.ts";
import { onlyRun, runAiRuntime, step, stepsDone, untilRun } from "../support/runs/runs.ts";
import { newestClaude } from "../support/sandbox/claude-versions.ts";
import { installedSandbox } from "../support/sandbox/installed-sandbox.ts";
import { endLeftovers } from "../support/sandbox/leftover-processes.ts";
import type { Sandbox } from "../support/sandbox/sandbox.ts";
import { until } from "../support/until.ts";

let postgres: TestPostgres;
beforeAll(async () => void (postgres = await sharedPostgres()), startTimeoutMs);

const inProject = (sandbox: Sandbox, name: string): string => readFileSync(join(sandbox.projectDir, name), "utf8");

/** A and B have a checkout of the same project and one hub; returns the name of its database. */
async function joinBoth(a: Sandbox, b: Sandbox, api: FakeAnthropic): Promise<string> {
  for (const [sandbox, address] of [
    [a, "git@host.example:me/cart.git"],
    [b, "https://host.example/me/cart"],
  ] as const) {
    await sandbox.run(["git", "remote", "add", "origin", address]);
  }
  const url = await postgres.createDatabase();
  const { stdout } = await runAiRuntime(a, api, ["hub", "init", url]);
  expect(await runAiRuntime(b, api, ["hub", "join"], { stdin: stdout })).toMatchObject({ exitCode: 0 });
  return new URL(url).pathname.slice(1);
}

async function untilReplicated(sandbox: Sandbox, api: FakeAnthropic): Promise<void> {
  await until(async () => {
    const { stdout } = await runAiRuntime(sandbox, api, ["hub", "status", "--json"]);
    return (JSON.parse(stdout) as { lag: { waiting: number } }).lag.waiting === 0;
  }, "everything to be in the hub");
}

/** As after the lease time: its holder is gone and does not renew it. */
const expireLeases = (database: string): Promise<unknown> =>
  postgres.query("UPDATE ai_runtime.subject SET leased_until = now()", database);

test("a conversation moves from A to B and back: whole history, files equal, the background process replicates", async () => {
  await using a = await installedSandbox(newestClaude);
  await using b = await installedSandbox(newestClaude);
  await using api = await fakeAnthropic(
    story()
      .callsTool("Bash", { command: "echo one > cart.txt" })
      .says("Wrote one.")
      .callsTool("Bash", { command: "echo two >> cart.txt" })
      .says("Wrote two.")
      .says("Saw both."),
  );
  const database = await joinBoth(a, b, api);
  await runCclaude(a, api, ["-p", "First task", skipPermissions]);
  const [transcript = ""] = await a.transcripts();
  const session = basename(transcript, ".jsonl");
  await untilReplicated(a, api);
  await expireLeases(database);

  const there = await runCclaude(b, api, ["-p", "Second task", "--resume", session, skipPermissions]);
  expect(there).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Wrote two.") });
  expect(there.stderr).toContain("continues from");
  expect(api.mainRequests.at(-1)?.conversationText).toContain("First task");
  expect(inProject(b, "cart.txt")).toBe("one\ntwo\n");
  await untilReplicated(b, api);
  await expireLeases(database);

  expect(await runCclaude(a, api, ["-p", "Third task", "-c", skipPermissions])).toMatchObject({ exitCode: 0 });
  const last = api.mainRequests.at(-1)?.conversationText;
  for (const words of ["First task", "Wrote one.", "Second task", "Wrote two.", "Third task"])
    expect(last).toContain(words);
  expect(inProject(a, "cart.txt")).toBe("one\ntwo\n");
  expect(a.outsideAttempts).toEqual([]);
});

test("machine A dies in the middle of a run, and B finishes it with the same flags and the files of the last file mark", async () => {
  await using a = await installedSandbox(newestClaude);
  await using b = await installedSandbox(newestClaude);
  await using api = await fakeAnthropic(
    story().callsTool("Bash", step("one")).hangs().callsTool("Bash", step("two")).says("All done."),
  );
  const database = await joinBoth(a, b, api);
  await runAiRuntime(a, api, ["install"]);
  await runAiRuntime(a, api, ["run", "Two steps", skipPermissions, "--detach"]);
  await api.request(2);
  await untilRun(a, ({ status }) => status.phase === "working");
  const { plan } = onlyRun(a);
  await until(async () => {
    const { stdout } = await runAiRuntime(b, api, ["hub", "list", "--json"]);
    return stdout.includes(plan.sessionId);
  }, "the conversation to be in the hub");
  await untilReplicated(a, api);
  await endLeftovers(a.root);

  const tooEarly = await runAiRuntime(b, api, ["resume", plan.id]);
  expect(tooEarly).toMatchObject({ exitCode: 5, stderr: expect.stringContaining("is open on") });
  const listed = JSON.parse((await runAiRuntime(b, api, ["status", "--json"])).stdout) as {
    elsewhere: { id: string }[];
  };
  expect(listed.elsewhere).toMatchObject([{ id: plan.id, task: "Two steps", held: true }]);
  await expireLeases(database);
  const resumed = await runAiRuntime(b, api, ["resume", plan.id]);
  expect(resumed).toMatchObject({ exitCode: 0 });
  // Files are those of the last file mark, which A took before the first step. The model has the result of that step, and is told
  // that its effect may be missing.
  expect(stepsDone(b)).toEqual(["two"]);
  const told = api.mainRequests.at(-1)?.conversationText ?? "";
  for (const words of ["Two steps", "\none\n", restoredHeader]) expect(told).toContain(words);
  const message = told.slice(told.indexOf("This conversation continues on another machine."));
  for (const words of [
    `was \`${a.projectDir}\` there and is \`${b.projectDir}\` here`,
    "may be missing here",
    "- ran `echo one | tee -a steps.txt` (succeeded)",
    "Look at the files first",
  ]) {
    expect(message).toContain(words);
  }
  const there = onlyRun(b);
  expect(there.plan).toMatchObject({
    id: plan.id,
    flags: plan.flags,
    permissionMode: plan.permissionMode,
    cwd: b.projectDir,
  });
  expect(there.status.phase).toBe("done");

  // A comes back: it learns that the run is done, also while B holds the conversation.
  await runAiRuntime(b, api, ["hub", "sync"]);
  await postgres.query("UPDATE ai_runtime.subject SET leased_until = now() + interval '1 hour'", database);
  const back = await runAiRuntime(a, api, ["resume", plan.id]);
  expect(back).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("already done") });
});
