// When a conversation no longer fits the context window, cclaude restores an earlier point and tells Claude what came after it.
import { expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  killableClaude,
  lastDecision,
  restoredHeader,
  runCclaude,
  skipPermissions,
} from "../../support/runs/cclaude.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { forEachClaude, newestClaude } from "../../support/sandbox/claude-versions.ts";
import { type FakeAnthropic, fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import { failure, type Reply, says } from "../../support/anthropic/replies.ts";
import { story } from "../../support/anthropic/scenario.ts";

const printCommand = (word: string, bytes: number) => ({ command: `printf '${word}%0${bytes}d' 1` });
const lines = (text: string) => text.trimEnd().split("\n");

const refusal = failure.promptTooLong({ tokens: 45_000, maximum: 10_000 });

/** A model that accepts only a restored conversation without these words, and refuses every other as too long. */
const acceptsOnlyRestored =
  (...without: string[]): Reply =>
  ({ conversationText }) => {
    const isRestored = conversationText.includes(restoredHeader);
    return isRestored && !without.some((word) => conversationText.includes(word)) ? says("Went on.") : refusal;
  };

const repeatForever = (reply: Reply) => story().answers(reply, { times: Infinity }).whenCompacting(refusal);

type Turn = readonly [prompt: string, word: string, bytes: number, tokens: number];
const small: Turn = ["First of all", "alpha", 10, 100];
const larger: Turn = ["And then", "beta", 20, 400];
const large: Turn = ["Much more", "gamma", 28_000, 40_000];

/** Runs one cclaude per turn; each leaves a mark at its end. */
async function runTurns(sandbox: Sandbox, api: FakeAnthropic, turns: readonly Turn[]): Promise<string> {
  const sessionId = randomUUID();
  for (const [index, [prompt, word, bytes, input]] of turns.entries()) {
    const usage = { input };
    api.plays(story().callsTool("Bash", printCommand(word, bytes), { usage }).says(`Said ${word}.`, { usage }));
    const choice = index === 0 ? "--session-id" : "--resume";
    const run = await runCclaude(sandbox, api, ["-p", prompt, skipPermissions, choice, sessionId]);
    expect(run).toEqual({ exitCode: 0, signal: null, stdout: `Said ${word}.\n`, stderr: "" });
  }
  return sessionId;
}

forEachClaude((version) => {
  test("cclaude restores the newest point that fits, tells Claude what came after it, and keeps the replaced transcript for undo", async () => {
    await using api = await fakeAnthropic();
    await using sandbox = await installedSandbox(version);
    const sessionId = await runTurns(sandbox, api, [small, large]);
    const [path = ""] = await sandbox.transcripts();
    const before = readFileSync(path);

    api.plays(repeatForever(acceptsOnlyRestored()));
    const run = await runCclaude(sandbox, api, ["-p", "Finish it", skipPermissions, "--resume", sessionId]);

    expect(run).toMatchObject({ exitCode: 0, stdout: "Went on.\n" });
    expect(lines(run.stderr)).toHaveLength(2);
    expect(run.stderr).toMatch(
      /^cclaude: claude said: Prompt is too long\ncclaude: the conversation outgrew its context; restored it to (mark \d+|a point in turn 1) of /,
    );
    const resumed = api.mainRequests.at(-1)?.conversationText;
    expect(resumed).toContain("Said alpha.");
    expect(resumed).not.toContain("000000000000000000000000000000000001");
    expect(resumed).toContain("> Finish it");
    expect(resumed).toContain("printf 'gamma%028000d' 1 (succeeded)");
    expect(resumed).toContain("> Said gamma.");
    expect(lastDecision(sandbox).decision.cause).toBe("finished");

    const undone = await sandbox.run(["session-snapshot", "undo", sessionId, "--force"]);
    expect(undone.exitCode).toBe(0);
    expect(readFileSync(path).subarray(0, before.length).equals(before)).toBe(true);
  });
});

test(`cclaude -p hides the restored conversation from the command line of claude ${newestClaude}`, async () => {
  await using api = await fakeAnthropic();
  await using sandbox = await installedSandbox(newestClaude);
  const sessionId = await runTurns(sandbox, api, [small, large]);
  const claude = killableClaude(sandbox);
  const commandLines: string[] = [];
  api.plays(
    repeatForever(() => {
      commandLines.push(readFileSync(`/proc/${claude.pid()}/cmdline`, "utf8"));
      return acceptsOnlyRestored();
    }),
  );

  const run = await runCclaude(sandbox, api, ["-p", skipPermissions, "--resume", sessionId], {
    stdin: "Finish it",
    env: { CCLAUDE_CLAUDE_BIN: claude.path },
  });

  expect(run).toMatchObject({ exitCode: 0, stdout: "Went on.\n" });
  const digest = ["> Finish it", "printf 'gamma%028000d' 1 (succeeded)", "> Said gamma."];
  const resumed = api.mainRequests.at(-1);
  for (const words of digest) expect(resumed?.lastText).toContain(words);
  expect(commandLines.at(-1)).toContain(sessionId);
  for (const words of [restoredHeader, "Finish it", "gamma"]) expect(commandLines.join("\n")).not.toContain(words);
});

test("cclaude restores an older point when the first one is still too long, and tells Claude everything that was cut", async () => {
  await using api = await fakeAnthropic();
  await using sandbox = await installedSandbox(newestClaude);
  const sessionId = await runTurns(sandbox, api, [small, larger, large]);

  api.plays(repeatForever(acceptsOnlyRestored("\nSaid beta.")));
  const run = await runCclaude(sandbox, api, ["-p", "Finish it", skipPermissions, "--resume", sessionId]);

  expect(run).toMatchObject({ exitCode: 0, stdout: "Went on.\n" });
  expect(lines(run.stderr)).toHaveLength(4);
  const resumed = api.mainRequests.at(-1)?.conversationText;
  expect(resumed).toContain("Said alpha.");
  for (const word of ["beta%020d", "gamma%028000d"]) expect(resumed).toContain(`printf '${word}' 1 (succeeded)`);
  expect(resumed).toContain("> Finish it");
});

test("cclaude --explain says that no earlier point fits when none does", async () => {
  await using api = await fakeAnthropic(repeatForever(refusal));
  await using sandbox = await installedSandbox(newestClaude);

  const run = await runCclaude(sandbox, api, ["-p", "Finish it", skipPermissions]);

  expect(run).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/^Prompt is too long/) });
  expect(run.stderr).toMatch(/^cclaude: the conversation outgrew its context, and no point of it is small enough\. /);
  const { stdout } = await sandbox.run(["cclaude", "--explain"]);
  expect(stdout).toMatch(/^action +found no earlier point that fits; ended with the same exit code$/m);
});
