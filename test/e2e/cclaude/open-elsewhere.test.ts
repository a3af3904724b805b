// A conversation that is open elsewhere is not opened a second time without the user's consent.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type FakeAnthropic, fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { says } from "../../support/anthropic/replies.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { runCclaude } from "../../support/runs/cclaude.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { onlyRun, runAiRuntime, untilRun } from "../../support/runs/runs.ts";
import { forEachClaude, newestClaude } from "../../support/sandbox/claude-versions.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import { detachKeys, hostRecord, openTerminal, run } from "../../support/terminal/host-world.ts";
import { type Tmux, tmuxMissing } from "../../support/terminal/tmux.ts";
import { untilFile } from "../../support/until-file.ts";
import { SnapshotFiles } from "../../support/worlds/snapshot-files.ts";

const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);

/** A claude at its prompt in a terminal, after one answer. Returns the session and its transcript. */
async function openConversation(
  sandbox: Sandbox,
  terminal: Tmux,
  command: string,
): Promise<{ readonly id: string; readonly path: string }> {
  run(terminal, `${command} 'Say hello'`);
  await terminal.until(/Hello from the model\.[^]*\n[>❯]/);
  const [path = ""] = await sandbox.transcripts();
  return { path, id: /([^/]+)\.jsonl$/.exec(path)?.[1] ?? "" };
}

async function exitClaude(terminal: Tmux): Promise<void> {
  terminal.type("/exit");
  await terminal.until(/^[>❯].\/exit/m);
  await terminal.pressUntil("Enter", /READY> *\n*$/);
}

const hello = (): Promise<FakeAnthropic> =>
  fakeAnthropic(story().says("Hello from the model.").says("Hello from the copy.").says("Hello again."));

describe.skipIf(missing !== undefined)("a conversation in another terminal", () => {
  forEachClaude((version) => {
    test("is refused without a terminal, by id and by -c, and can be forked", async () => {
      await using api = await hello();
      await using sandbox = await installedSandbox(version);
      await sandbox.trustProject();
      await using terminal = await openTerminal(sandbox, sandbox.claudeEnv(api));
      const { id, path } = await openConversation(sandbox, terminal, "cclaude --direct");
      // Of an old client only its hooks know the session: the first one runs at the end of the turn.
      await untilFile(new SnapshotFiles(sandbox).statePath(id), (text) => text !== "");

      for (const words of [
        ["-p", "Me too", "--resume", id],
        ["-p", "Me too", "-c"],
      ]) {
        const refused = await runCclaude(sandbox, api, words);
        expect(refused).toMatchObject({ exitCode: 5, stdout: "" });
        expect(refused.stderr).toMatch(
          new RegExp(`^cclaude: session ${id} is open in another c?claude \\(process \\d+\\);.*\n.*--fork-session`),
        );
      }
      expect(readFileSync(path, "utf8")).not.toContain("Me too");
      const forked = await runCclaude(sandbox, api, ["-p", "Me too", "--resume", id, "--fork-session"]);
      expect(forked).toMatchObject({ exitCode: 0, stdout: "Hello from the copy.\n" });
      expect(await sandbox.transcripts()).toHaveLength(2);

      await exitClaude(terminal);
      const resumed = await runCclaude(sandbox, api, ["-p", "Now me", "--resume", id]);
      expect(resumed).toMatchObject({ exitCode: 0, stdout: "Hello again.\n" });
    });
  });

  test("is found by its name, and by -c when a program began a newer one", async () => {
    await using api = await hello();
    await using sandbox = await installedSandbox(newestClaude);
    await sandbox.trustProject();
    await using first = await openTerminal(sandbox, sandbox.claudeEnv(api));
    const { id } = await openConversation(sandbox, first, "claude --name 'The talk'");
    expect((await sandbox.claude(api, ["-p", "From a program"])).exitCode).toBe(0);

    const refused = await runCclaude(sandbox, api, ["-p", "Me too", "--resume", "the TALK"]);
    expect(refused).toMatchObject({ exitCode: 5, stderr: expect.stringContaining(`session ${id} is open`) as string });

    await using second = await openTerminal(sandbox, sandbox.claudeEnv(api));
    run(second, "cclaude -c");
    expect(await second.until(/\[w\/f\/o\/q\] *\n*$/)).toContain(id);
  });

  test("cannot be adopted while it runs: cclaude says so, waits for its end, and continues it", async () => {
    await using api = await hello();
    await using sandbox = await installedSandbox(newestClaude);
    await sandbox.trustProject();
    await using first = await openTerminal(sandbox, sandbox.claudeEnv(api));
    const { id } = await openConversation(sandbox, first, "claude");
    const refused = await runCclaude(sandbox, api, ["--adopt"]);
    expect(refused).toMatchObject({ exitCode: 5, stderr: expect.stringContaining("cannot be moved") as string });

    await using second = await openTerminal(sandbox, sandbox.claudeEnv(api));
    run(second, "cclaude --adopt");
    expect(await second.until(/cannot be\s+moved[^]*\[w\/f\/o\/q\] *\n*$/)).toContain(id);
    run(second, "w");
    await second.until(/waiting for its end: type \/exit there/);
    await exitClaude(first);
    await second.until(/Hello from the model\.[^]*\n[>❯]/);
    await exitClaude(second);
    expect(await sandbox.transcripts()).toHaveLength(1);
    run(second, "clear; cclaude --adopt; echo code=$?");
    await second.until(/no running claude has a conversation[^]*code=4/);
  });

  test("is offered as a copy on a terminal; q starts nothing, o opens it anyway", async () => {
    await using api = await hello();
    await using sandbox = await installedSandbox(newestClaude);
    await sandbox.trustProject();
    await using first = await openTerminal(sandbox, sandbox.claudeEnv(api));
    const { id } = await openConversation(sandbox, first, "claude");
    await using second = await openTerminal(sandbox, sandbox.claudeEnv(api));
    const question = /session [\w-]+ is open in\s+another claude \(process \d+\)[^]*f {2}fork[^]*\[w\/f\/o\/q\] *\n*$/;

    run(second, "cclaude -c; echo code=$?");
    expect(await second.until(question)).toContain(id);
    run(second, "q");
    await second.until(/nothing was started[^]*code=130\s+READY> *\n*$/);

    run(second, "clear; cclaude --resume " + id);
    await second.until(question);
    run(second, "o");
    await second.until(/Hello from the model\.[^]*\n[>❯]/);
    await exitClaude(second);
    expect(await sandbox.transcripts()).toHaveLength(1);

    run(second, "clear; cclaude -c 'In a copy'");
    await second.until(question);
    run(second, "f");
    await second.until(/Hello from the copy\./);
    expect(await sandbox.transcripts()).toHaveLength(2);
  });
});

test.skipIf(missing !== undefined)(
  "a hosted conversation is attached from the question, and named without a terminal",
  async () => {
    await using api = await hello();
    await using sandbox = await installedSandbox(newestClaude);
    await sandbox.trustProject();
    await using first = await openTerminal(sandbox, sandbox.claudeEnv(api));
    const { id } = await openConversation(sandbox, first, "cclaude --detachable");
    first.press(...detachKeys);
    await first.until(/^Detached from/m);
    const host = hostRecord(sandbox).plan.id;

    const refused = await runCclaude(sandbox, api, ["-p", "Me too", "--resume", id]);
    expect(refused).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining(`ai-runtime attach ${host}`) as string,
    });

    await using second = await openTerminal(sandbox, sandbox.claudeEnv(api));
    run(second, "cclaude -c");
    await second.until(new RegExp(`is open in\\s+host ${host}[^]*a {2}attach[^]*\\[a/f/o/q\\] *\n*$`));
    run(second, "a");
    await second.until(/attached to [\w-]+ · Ctrl-\\ d detaches/);
    expect(second.screen).toContain("Hello from the model.");
    expect(await sandbox.transcripts()).toHaveLength(1);
  },
);

test("a run that waits for its limit holds its conversation", async () => {
  await using api = await fakeAnthropic(story().fails.limit({ resetsInSeconds: 3_600 }).says("No."));
  await using sandbox = await installedSandbox(newestClaude);
  expect(await runAiRuntime(sandbox, api, ["run", "Do it", "--detach"])).toMatchObject({ exitCode: 0 });
  await untilRun(sandbox, ({ status }) => status.phase === "waiting-limit");
  const { id, sessionId } = onlyRun(sandbox).plan;
  const refused = await runCclaude(sandbox, api, ["-p", "Me too", "--resume", sessionId]);
  expect(refused).toMatchObject({
    exitCode: 5,
    stdout: "",
    stderr: expect.stringContaining(`is open in run ${id};`) as string,
  });
  expect(await runAiRuntime(sandbox, api, ["stop", id])).toMatchObject({ exitCode: 0 });
});

test.each(["--resume", "-c"])("of three cclaude %s that start at once, one opens the conversation", async (flag) => {
  const refused = Promise.withResolvers<void>();
  await using api = await fakeAnthropic(
    story()
      .says("Hello.")
      .answers(async () => {
        await refused.promise;
        return says("Hello again.");
      })
      .says("Two writers."),
  );
  await using sandbox = await installedSandbox(newestClaude);
  const first = await runCclaude(sandbox, api, ["-p", "Hi", "--output-format", "json"]);
  const { session_id: id } = JSON.parse(first.stdout) as { session_id: string };
  const words = ["-p", "Me too", flag, ...(flag === "-c" ? [] : [id])];
  let refusals = 0;
  const all = [1, 2, 3].map(async () => {
    const { exitCode, stdout } = await runCclaude(sandbox, api, words);
    if (exitCode === 5) refusals += 1;
    if (refusals === 2) refused.resolve();
    return { exitCode: exitCode ?? -1, stdout };
  });

  const codes = (await Promise.all(all)).sort((one, other) => one.exitCode - other.exitCode);

  const isRefused = { exitCode: 5, stdout: "" };
  expect(codes).toEqual([{ exitCode: 0, stdout: "Hello again.\n" }, isRefused, isRefused]);
  expect((await sandbox.run(["session-snapshot", "verify", id])).stdout).toContain("clean");
});
