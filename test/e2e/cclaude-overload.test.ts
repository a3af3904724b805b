// A conversation that no longer fits: put back to where it does, told what came after, and gone on with.
import { expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { cclaudeSandbox, lastDecision, restoredMark, runCclaude, skipPermissions } from "../support/cclaude.ts";
import { forEachClaude, newestClaude } from "../support/claude-versions.ts";
import { type FakeAnthropic, fakeAnthropic } from "../support/fake-anthropic.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { failure, type Reply, says } from "../support/replies.ts";
import { story } from "../support/scenario.ts";

const print = (word: string, bytes: number) => ({ command: `printf '${word}%0${bytes}d' 1` });
const lines = (text: string) => text.trimEnd().split("\n");

const refusal = failure.promptTooLong({ tokens: 45_000, maximum: 10_000 });

/** A model whose window only ever fits what was restored, and none of these words. */
const accepting =
  (...without: string[]): Reply =>
  ({ conversationText }) => {
    const isRestored = conversationText.includes(restoredMark);
    return isRestored && !without.some((word) => conversationText.includes(word)) ? says("Went on.") : refusal;
  };

const refusingAll = (reply: Reply) => story().answers(reply, { times: Infinity }).whenCompacting(refusal);

type Turn = readonly [prompt: string, word: string, bytes: number, tokens: number];
const small: Turn = ["First of all", "alpha", 10, 100];
const larger: Turn = ["And then", "beta", 20, 200];
const large: Turn = ["Much more", "gamma", 28_000, 40_000];

/** Each turn leaves a mark at its end. */
async function grow(sandbox: Sandbox, api: FakeAnthropic, turns: readonly Turn[]): Promise<string> {
  const sessionId = randomUUID();
  for (const [index, [prompt, word, bytes, input]] of turns.entries()) {
    const usage = { input };
    api.plays(story().callsTool("Bash", print(word, bytes), { usage }).says(`Said ${word}.`, { usage }));
    const choice = index === 0 ? "--session-id" : "--resume";
    const run = await runCclaude(sandbox, api, ["-p", prompt, skipPermissions, choice, sessionId]);
    expect(run).toEqual({ exitCode: 0, signal: null, stdout: `Said ${word}.\n`, stderr: "" });
  }
  return sessionId;
}

forEachClaude((version) => {
  test("it goes back to the newest mark that fits, says what came after, and keeps what it replaced", async () => {
    await using api = await fakeAnthropic();
    await using sandbox = await cclaudeSandbox(version);
    const sessionId = await grow(sandbox, api, [small, large]);
    const [path = ""] = await sandbox.transcripts();
    const before = readFileSync(path);

    api.plays(refusingAll(accepting()));
    const run = await runCclaude(sandbox, api, ["-p", "Finish it", skipPermissions, "--resume", sessionId]);

    expect(run).toMatchObject({ exitCode: 0, stdout: "Prompt is too long\nWent on.\n" });
    expect(lines(run.stderr)).toHaveLength(1);
    expect(run.stderr).toMatch(/^cclaude: the conversation outgrew its context; went back to mark \d+ of /);
    const resumed = api.mainRequests.at(-1)?.conversationText;
    expect(resumed).toContain("Said alpha.");
    expect(resumed).not.toContain("000000000000000000000000000000000001");
    expect(resumed).toContain("> Finish it");
    expect(resumed).toContain("printf 'gamma%028000d' 1 (succeeded)");
    expect(resumed).toContain("> Said gamma.");
    expect(lastDecision(sandbox).decision.cause).toBe("finished");

    const undone = await sandbox.run(["session-snapshot", "undo", sessionId]);
    expect(undone.exitCode).toBe(0);
    expect(readFileSync(path).subarray(0, before.length).equals(before)).toBe(true);
  });
});

test("a repeat goes further back, and Claude hears of all that is gone", async () => {
  await using api = await fakeAnthropic();
  await using sandbox = await cclaudeSandbox(newestClaude);
  const sessionId = await grow(sandbox, api, [small, larger, large]);

  api.plays(refusingAll(accepting("\nSaid beta.")));
  const run = await runCclaude(sandbox, api, ["-p", "Finish it", skipPermissions, "--resume", sessionId]);

  expect(run).toMatchObject({ exitCode: 0, stdout: "Prompt is too long\nPrompt is too long\nWent on.\n" });
  expect(lines(run.stderr)).toHaveLength(2);
  const resumed = api.mainRequests.at(-1)?.conversationText;
  expect(resumed).toContain("Said alpha.");
  for (const word of ["beta%020d", "gamma%028000d"]) expect(resumed).toContain(`printf '${word}' 1 (succeeded)`);
  expect(resumed).toContain("> Finish it");
});
