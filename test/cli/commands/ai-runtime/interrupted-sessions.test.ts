// Records of cclaude sessions whose cclaude is dead: how the commands show, refuse, stop and forget them.
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRunRecord } from "../../../../src/core/check-record.ts";
import { projectDirectoryName } from "../../../../src/claude/paths.ts";
import type { RunRecord } from "../../../../src/core/run/run-record.ts";
import { runRecords } from "../../../support/runs/runs.ts";
import { addRun, run, sandboxWithClaude } from "../../../support/runs/scripted-claude.ts";
import type { Sandbox } from "../../../support/sandbox/sandbox.ts";

const id = "20261118-080000-aaaa";
const sessionId = "11111111-2222-4333-8444-555555555555";
const piped = { cclaude: { isPiped: true }, sessionId } as const;
const typed = { cclaude: { isPiped: false }, sessionId } as const;
const now = (): Pick<RunRecord["plan"], "created"> => ({ created: Date.now() });

const withClaude = ({ binDir }: Sandbox): Record<string, string> => ({ CCLAUDE_CLAUDE_BIN: join(binDir, "claude") });

/** A conversation that ended in the middle of a turn. */
function addConversation(sandbox: Sandbox): void {
  const project = join(sandbox.configDir, "projects", projectDirectoryName(sandbox.projectDir));
  mkdirSync(project, { recursive: true });
  const message = { role: "user", content: "Do it" };
  const timestamp = new Date().toISOString();
  const line = { type: "user", uuid: "u", parentUuid: null, sessionId, timestamp, message };
  writeFileSync(join(project, `${sessionId}.jsonl`), `${JSON.stringify(line)}\n`);
}

test("status and doctor show an interrupted session and how to resume it; recover --dry-run lists it", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  addConversation(sandbox);
  addRun(sandbox, id, { phase: "working", since: Date.now() }, { ...typed, ...now() });
  expect((await run(sandbox, ["status"])).stdout).toMatch(/aaaa +died[^]*resume with: ai-runtime recover/);
  expect((await run(sandbox, ["doctor"])).stdout.replaceAll(/\s+/g, " ")).toContain(
    `session ${id} of cclaude was interrupted; its work is on disk → ai-runtime resume ${id}`,
  );
  expect(await run(sandbox, ["recover", "--dry-run"])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(id) as string,
  });
});

test("a session whose conversation never began, with a prompt from a pipe, is shown as lost and not recovered", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  addRun(sandbox, id, { phase: "working", since: Date.now() }, { ...piped, ...now() });
  expect((await run(sandbox, ["status"])).stdout).toContain("lost: cannot be resumed");
  expect(await run(sandbox, ["recover"])).toMatchObject({ exitCode: 4 });
  expect(await run(sandbox, ["resume", id])).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining(`session ${id} cannot be resumed`) as string,
  });
});

test("attach and logs explain that an interrupted session has nothing to show, and stop forgets it", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  addConversation(sandbox);
  addRun(sandbox, id, { phase: "working", since: Date.now() }, { ...typed, ...now() });
  expect(await run(sandbox, ["attach", "aaaa"])).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining(`Resume with: ai-runtime resume ${id}`) as string,
  });
  expect(await run(sandbox, ["logs", "aaaa"])).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining("is a cclaude outside a host, which has no log") as string,
  });
  expect(await run(sandbox, ["stop", "aaaa"])).toMatchObject({ exitCode: 0 });
  expect(runRecords(sandbox)).toEqual([]);
  expect(await run(sandbox, ["recover"])).toMatchObject({ exitCode: 4 });
});

test("maintenance forgets sessions older than Claude keeps a transcript, and keeps newer ones", async () => {
  await using sandbox = await sandboxWithClaude("exit 9");
  addConversation(sandbox);
  const old = Date.now() - 31 * 86_400_000;
  addRun(sandbox, "20261001-080000-bbbb", { phase: "working", since: old }, { ...typed, sessionId: "", created: old });
  addRun(sandbox, id, { phase: "working", since: Date.now() }, { ...typed, ...now() });
  const events = join(sandbox.home, ".local/state/ai-runtime/runs/sessions");
  mkdirSync(join(events, "20261001-080000-bbbb"), { recursive: true, mode: 0o700 });
  await sandbox.run(["session-snapshot", "maintain"]);
  expect(runRecords(sandbox).map(({ plan }) => plan.id)).toEqual([id]);
  expect(existsSync(events) ? readdirSync(events) : []).toEqual([]);
});

test("cclaude leaves no record for a claude that Claude, a run or a host started", async () => {
  await using sandbox = await sandboxWithClaude(
    'ls "$HOME/.local/state/ai-runtime/runs/active" 2>/dev/null | grep -c json >> "$HOME/count"; exit 0',
  );
  const start = (env: Record<string, string>): Promise<unknown> =>
    sandbox.run(["cclaude", "-p", "hi"], { env: { ...withClaude(sandbox), ...env } });
  await start({});
  for (const name of ["CLAUDECODE", "AI_RUNTIME_RUN", "AI_RUNTIME_HOST"]) await start({ [name]: "1" });
  await start({ CCLAUDE_LEVEL: "1" });
  expect((await Bun.file(join(sandbox.home, "count")).text()).trim().split("\n")).toEqual(["1", "0", "0", "0", "0"]);
  expect(runRecords(sandbox)).toEqual([]);
});

test("the record of a running session has what a resume needs, and only its owner can read it", async () => {
  await using sandbox = await sandboxWithClaude(
    'cp -p "$HOME"/.local/state/ai-runtime/runs/active/*.json "$HOME/record"; exit 0',
  );
  const words = ["-p", "Do it", "--model", "opus", "--permission-mode", "plan", "--output-format", "json"];
  await sandbox.run(["cclaude", ...words], { env: withClaude(sandbox) });
  const path = join(sandbox.home, "record");
  const record = (await Bun.file(path).json()) as RunRecord;
  expect(isRunRecord(record, record.plan.id)).toBeTrue();
  expect((await Bun.file(path).stat()).mode & 0o777).toBe(0o600);
  expect(record).toMatchObject({
    plan: {
      kind: "headless",
      task: "Do it",
      cwd: sandbox.projectDir,
      claude: join(sandbox.binDir, "claude"),
      claudeConfig: sandbox.configDir,
      flags: ["-p", "--model", "opus", "--permission-mode", "plan", "--output-format", "json"],
      permissionMode: "plan",
    },
    status: { phase: "working", supervisor: { pid: expect.any(Number) as number } },
  });
});
