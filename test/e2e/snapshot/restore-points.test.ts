// A conversation outgrows a small context window in one turn of fast steps, so that no mark fits. A restore by hand and cclaude
// cut it at a complete step, the API accepts the rest, and Claude learns what came after that step.
import { expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { restoredHeader, runCclaude, skipPermissions } from "../../support/runs/cclaude.ts";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { type FakeAnthropic, fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import type { RecordedRequest } from "../../support/anthropic/recorded-request.ts";
import { callsTool, failure, type Reply, says } from "../../support/anthropic/replies.ts";
import { story } from "../../support/anthropic/scenario.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";

/** Tokens; every step adds about a thousand. */
const window = 12_000;
const bytesPerToken = 4;
const tokensOf = (request: RecordedRequest): number => Math.ceil(request.conversationBytes / bytesPerToken);

/** A model with a small window: it refuses what does not fit, and counts what does. */
const inWindow =
  (reply: (usage: { input: number }) => Reply): Reply =>
  (request) => {
    const tokens = tokensOf(request);
    return tokens > window ? failure.promptTooLong({ tokens, maximum: window }) : reply({ input: tokens });
  };

const step = (number: number): Reply =>
  inWindow((usage) => callsTool("Bash", { command: `printf 'step-${number}-%04000d' 1` }, { usage }));

const refuses: Reply = (request) => failure.promptTooLong({ tokens: tokensOf(request), maximum: window });

/** Plays one turn of fast steps until the window is full. */
function playOneLargeTurn(api: FakeAnthropic): void {
  const replies = story().whenCompacting(refuses);
  for (let number = 1; number <= 20; number++) replies.answers(step(number));
  api.plays(replies);
}

const blocksIn = (request: RecordedRequest | undefined) =>
  (request?.body.messages ?? []).flatMap(({ content }) => (typeof content === "string" ? [] : content));

/** What an API checks: every call has its result in the next message. */
function expectCompleteSteps(request: RecordedRequest | undefined): void {
  const blocks = blocksIn(request);
  const calls = blocks.flatMap(({ type, id }) => (type === "tool_use" ? [id] : []));
  const results = blocks.flatMap(({ type, tool_use_id: id }) => (type === "tool_result" ? [id] : []));
  expect(calls.length).toBeGreaterThan(0);
  expect(results).toEqual(calls);
  expect(request?.conversationText).not.toContain("interrupted");
}

/** Counts calls, not outputs: a busy 2.1.36 sometimes records an empty output. */
const stepsIn = (request: RecordedRequest | undefined): number =>
  blocksIn(request).filter(({ type }) => type === "tool_use").length;

async function overflow(sandbox: Sandbox, api: FakeAnthropic): Promise<string> {
  const sessionId = randomUUID();
  const installed = await sandbox.run(["session-snapshot", "install"]);
  expect(installed.exitCode).toBe(0);
  playOneLargeTurn(api);
  const run = await sandbox.claude(api, ["-p", "Print a lot", skipPermissions, "--session-id", sessionId]);
  expect(run).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/^Prompt is too long/) });
  return sessionId;
}

forEachClaude((version) => {
  test("restore --to fit cuts one large turn at a complete step, and Claude learns what came after", async () => {
    await using api = await fakeAnthropic();
    await using sandbox = await installedSandbox(version);
    const sessionId = await overflow(sandbox, api);
    const [path = ""] = await sandbox.transcripts();
    const whole = readFileSync(path);

    const restored = await sandbox.run(["session-snapshot", "restore", sessionId, "--to", "fit"]);

    expect(restored).toMatchObject({ exitCode: 0 });
    expect(restored.stderr).toContain(`Restored session ${sessionId} to a point in turn 1 (`);
    expect(restored.stderr).toMatch(
      /Claude learns at the next resume what came after that point \(\d+ commands run\)\./,
    );
    expect(restored.stderr).toContain(`Continue with: claude --resume ${sessionId}`);

    api.plays(
      story()
        .answers(inWindow((usage) => says("Went on.", { usage })))
        .whenCompacting(refuses),
    );
    const resumed = await sandbox.claude(api, ["-p", "Go on", skipPermissions, "--resume", sessionId]);

    expect(resumed).toMatchObject({ exitCode: 0, stdout: "Went on.\n" });
    const request = api.mainRequests.at(-1);
    expectCompleteSteps(request);
    expect(tokensOf(request as RecordedRequest)).toBeLessThan(0.6 * window);
    const seen = stepsIn(request);
    expect(seen).toBeGreaterThan(1);
    expect(request?.conversationText).toContain(restoredHeader);
    expect(request?.conversationText).toContain(`printf 'step-${seen + 1}-%04000d' 1 (succeeded)`);

    // Claude has answered: the next resume does not repeat it. Only 2.1.36 does not keep a hook's context.
    api.plays(story().answers(inWindow((usage) => says("Again.", { usage }))));
    await sandbox.claude(api, ["-p", "And again", skipPermissions, "--resume", sessionId]);
    const told = api.mainRequests.at(-1)?.conversationText.split(restoredHeader).length ?? 0;
    expect(told - 1).toBe(version === "2.1.36" ? 0 : 1);

    expect(await sandbox.run(["session-snapshot", "undo", sessionId, "--force"])).toMatchObject({ exitCode: 0 });
    expect(readFileSync(path).equals(whole)).toBe(true);
  });

  test("cclaude restores one large turn of fast steps to a complete step that fits", async () => {
    await using api = await fakeAnthropic();
    await using sandbox = await installedSandbox(version);
    const sessionId = randomUUID();
    const replies = story().whenCompacting(refuses);
    const next: Reply = (request) =>
      request.conversationText.includes(restoredHeader)
        ? inWindow((usage) => says("All done.", { usage }))
        : step(stepsIn(request) + 1);
    api.plays(replies.answers(next, { times: Infinity }));

    const run = await runCclaude(sandbox, api, ["-p", "Print a lot", skipPermissions, "--session-id", sessionId]);

    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/All done\.\n$/) });
    expect(run.stderr).toMatch(/^cclaude: the conversation outgrew its context; restored it to a point in turn 1 of /m);
    const request = api.mainRequests.at(-1);
    expectCompleteSteps(request);
    const seen = stepsIn(request);
    expect(request?.lastText).toContain(`printf 'step-${seen + 1}-%04000d' 1 (succeeded)`);
  });

  test("cclaude goes back to the prompt when its first step alone is too large", async () => {
    await using api = await fakeAnthropic();
    await using sandbox = await installedSandbox(version);
    const large = failure.promptTooLong({ tokens: 50_000, maximum: 10_000 });
    const command = "printf 'large-%028000d' 1";
    const reply: Reply = ({ conversationText }) => {
      if (/large-0{100}/.test(conversationText)) return large;
      return conversationText.includes(restoredHeader)
        ? says("All done.")
        : callsTool("Bash", { command }, { usage: { input: 1_000 } });
    };
    api.plays(story().whenCompacting(large).answers(reply, { times: Infinity }));

    const run = await runCclaude(sandbox, api, ["-p", "Print it all at once", skipPermissions]);

    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/All done\.\n$/) });
    const resumed = api.mainRequests.at(-1)?.conversationText;
    expect(resumed).toContain("Print it all at once");
    expect(resumed).toContain(`${command} (succeeded)`);
  });
});
