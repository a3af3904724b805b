// A failure that Claude got over is not the cause of a later crash.
import { describe, expect, test } from "bun:test";
import { killableClaude, lastDecision, runCclaude, skipPermissions } from "../../support/runs/cclaude.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { failure, hangs } from "../../support/anthropic/replies.ts";
import { story, type Story } from "../../support/anthropic/scenario.ts";
import { untilTranscript } from "../../support/transcripts/until-transcript.ts";

const streams = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];

const prompt = (text: string): string =>
  `${JSON.stringify({ type: "user", message: { role: "user", content: [{ type: "text", text }] } })}\n`;

/** Fails the first prompt, answers the second if there are three, and kills claude in the last one. */
async function killInLastPrompt(
  version: Parameters<typeof installedSandbox>[0],
  failing: Story,
  prompts: readonly string[],
): Promise<void> {
  await using sandbox = await installedSandbox(version);
  const claude = killableClaude(sandbox);
  if (prompts.length > 2) failing.says("Better now.");
  const killed = failing.answers(async () => {
    await untilTranscript(sandbox, `"text":"${prompts.at(-1)}"`);
    claude.kill();
    return hangs();
  });
  await using api = await fakeAnthropic(story().says("Hello."));
  // cclaude learns the version of claude, and from then on its hooks report failures.
  await runCclaude(sandbox, api, ["-p", "Say hello"], { env: { CCLAUDE_CLAUDE_BIN: claude.path } });
  api.plays(killed.says("Went on."));
  // Without the wait, a wrong decision ends cclaude.
  const env = { CCLAUDE_RETRY_SECONDS: "0.1", CCLAUDE_NO_WAIT: "1", CCLAUDE_CLAUDE_BIN: claude.path };
  const cclaude = sandbox.spawn(["cclaude", "-p", ...streams, skipPermissions], {
    env: { ...sandbox.claudeEnv(api), ...env },
    stdin: "open",
  });

  for (const [index, text] of prompts.entries()) {
    if (index > 0) await cclaude.untilOutput(index === 1 ? /"is_error":true/ : /"result":"Better now\."/);
    cclaude.write(prompt(text));
  }
  await cclaude.untilOutput(/"result":"Went on\."/);
  cclaude.closeInput();

  const { exitCode, stderr } = await cclaude.finished;
  expect(stderr).toMatch(/^cclaude: claude ended unexpectedly \(SIGKILL\); resuming session [0-9a-f-]{36}\n$/);
  expect(exitCode).toBe(0);
  expect(lastDecision(sandbox)).toMatchObject({ history: { crashes: 1, limits: 0, restarts: 1 } });
}

/** The clients that have the StopFailure hook. */
describe.each(["2.1.326", "2.1.197"] as const)("Claude Code %s", (version) => {
  const failures: [string, () => Story][] = [
    ["a usage limit", () => story().answers(failure.limit({ resetsInSeconds: 3_600 }))],
    ["a wrong login", () => story().answers(failure.unauthorized(), { times: 2 })],
  ];

  test.each(failures)("cclaude resumes a killed claude at once when Claude got over %s before", async (_, fails) => {
    await killInLastPrompt(version, fails(), ["Begin", "Try again", "One more"]);
  });

  test.each(failures)("cclaude resumes a claude that was killed in the prompt after %s at once", async (_, fails) => {
    await killInLastPrompt(version, fails(), ["Begin", "Try again"]);
  });
});
