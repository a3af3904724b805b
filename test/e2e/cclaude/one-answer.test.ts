// `cclaude -p` prints one answer in the format that was asked for, with and without a restart.
import { expect, test } from "bun:test";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  expectWholeHistory,
  killableClaude,
  runCclaude,
  skipPermissions,
  firstStep,
  storyThatKills,
} from "../../support/runs/cclaude.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { forEachClaude, newestClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { story } from "../../support/anthropic/scenario.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import { untilTranscript } from "../../support/transcripts/until-transcript.ts";

const formats = ["text", "json", "stream-json"] as const;
type Format = (typeof formats)[number];

const wordsOf = (format: Format): string[] => {
  const verbose = format === "stream-json" ? ["--verbose"] : [];
  return ["-p", "Do a lot", skipPermissions, "--output-format", format, ...verbose];
};

/** A claude that runs the real one and keeps what it printed. */
function recordingClaude(sandbox: Sandbox): { readonly path: string; printed(): Buffer } {
  const path = join(sandbox.root, "recording-claude");
  const file = join(sandbox.root, "printed");
  writeFileSync(path, `#!/bin/bash\nset -o pipefail\nclaude "$@" | tee ${file}\n`);
  chmodSync(path, 0o755);
  return { path, printed: () => readFileSync(file) };
}

interface Event {
  readonly type: string;
  readonly result?: string;
  readonly is_error?: boolean;
  readonly message?: { readonly model?: string };
}

const eventsOf = (stdout: string): Event[] =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Event);

/** Checks that the output is one answer in this format, with nothing before and after it. */
function expectOneAnswer(stdout: string, format: Format, answer: string): void {
  if (format === "text") return expect(stdout).toBe(`${answer}\n`);
  const final = { type: "result", is_error: false, result: answer };
  if (format === "json") return expect(JSON.parse(stdout)).toMatchObject(final);
  const events = eventsOf(stdout);
  expect(events.filter(({ type }) => type === "result")).toHaveLength(1);
  expect(events.at(-1)).toMatchObject(final);
  expect(events.filter(({ message }) => message?.model === "<synthetic>")).toBeEmpty();
}

forEachClaude((version) => {
  test.each(formats)("cclaude prints the bytes of claude and nothing on stderr: %s", async (format) => {
    const answer = "Grüße 🌍 and\ntwo lines.";
    await using api = await fakeAnthropic(story().callsTool("Bash", firstStep).says(answer));
    await using sandbox = await installedSandbox(version);
    const claude = recordingClaude(sandbox);

    const run = await runCclaude(sandbox, api, wordsOf(format), { env: { CCLAUDE_CLAUDE_BIN: claude.path } });

    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(Buffer.from(run.stdout).equals(claude.printed())).toBe(true);
    expectOneAnswer(run.stdout, format, answer);
  });

  test.each(formats)("cclaude prints one answer after a limit, and the limit on stderr: %s", async (format) => {
    await using api = await fakeAnthropic(
      story().callsTool("Bash", firstStep).fails.limit({ resetsInSeconds: 2 }).says("Went on."),
    );
    await using sandbox = await installedSandbox(version);

    const run = await runCclaude(sandbox, api, wordsOf(format));

    expect(run.exitCode).toBe(0);
    expectOneAnswer(run.stdout, format, "Went on.");
    expect(run.stderr).toMatch(
      /^cclaude: claude said: You've hit your .*limit · resets .*\ncclaude: usage limit reached;/,
    );
    expectWholeHistory(api, "Do a lot");
  });
});

test.each(formats)("cclaude prints claude's own error, unchanged, when it does not resume: %s", async (format) => {
  await using api = await fakeAnthropic(story().fails.limit({ resetsInSeconds: 3_600 }));
  await using sandbox = await installedSandbox(newestClaude);
  const claude = recordingClaude(sandbox);

  const env = { CCLAUDE_CLAUDE_BIN: claude.path, CCLAUDE_NO_WAIT: "1" };
  const run = await runCclaude(sandbox, api, wordsOf(format), { env });

  expect(run.exitCode).toBe(75);
  expect(run.stderr).toMatch(/^cclaude: usage limit until .*; not waiting\. .*\n$/);
  expect(Buffer.from(run.stdout).equals(claude.printed())).toBe(true);
  expect(run.stdout).toContain("You've hit your");
});

test("cclaude prints claude's own error when a signal ends it while it waits for the limit", async () => {
  await using api = await fakeAnthropic(story().fails.limit({ resetsInSeconds: 3_600 }));
  await using sandbox = await installedSandbox(newestClaude);
  const cclaude = sandbox.spawn(["cclaude", ...wordsOf("json")], { env: sandbox.claudeEnv(api) });
  await cclaude.untilError(/waiting until/);
  cclaude.signal("SIGTERM");

  const run = await cclaude.finished;

  expect(run.signal).toBe("SIGTERM");
  expect(JSON.parse(run.stdout)).toMatchObject({ type: "result", is_error: true });
});

test.each(formats)("cclaude prints one answer after a crash: %s", async (format) => {
  await using sandbox = await installedSandbox(newestClaude);
  const claude = killableClaude(sandbox);
  await using api = await fakeAnthropic(storyThatKills(sandbox, claude));

  const run = await runCclaude(sandbox, api, wordsOf(format), { env: { CCLAUDE_CLAUDE_BIN: claude.path } });

  expect(run.exitCode).toBe(0);
  expectOneAnswer(run.stdout, format, "Went on.");
  expect(run.stderr).toMatch(/^cclaude: claude ended unexpectedly \(SIGKILL\); resuming session [0-9a-f-]{36}\n$/);
});

test("cclaude prints one result after claude was killed while it waited for its background command", async () => {
  const inBackground = { command: "python3 -c 'import time; time.sleep(600)'", run_in_background: true };
  await using sandbox = await installedSandbox(newestClaude);
  const claude = killableClaude(sandbox);
  await using api = await fakeAnthropic(
    story().callsTool("Bash", inBackground).says("I wait for it.").says("All done.", { times: 2 }),
  );
  const run = runCclaude(sandbox, api, wordsOf("stream-json"), { env: { CCLAUDE_CLAUDE_BIN: claude.path } });
  await untilTranscript(sandbox, "I wait for it.");
  claude.kill();

  const { exitCode, stdout } = await run;

  expect(exitCode).toBe(0);
  expectOneAnswer(stdout, "stream-json", "All done.");
});

test("claude finishes its work and cclaude exits with its code when the reader of the stream leaves early", async () => {
  await using api = await fakeAnthropic(story().callsTool("Bash", firstStep).says("Done."));
  await using sandbox = await installedSandbox(newestClaude);
  const line = `cclaude -p hi ${skipPermissions} --output-format stream-json --verbose | head -n 1; echo "\${PIPESTATUS[@]}"`;

  const run = await sandbox.run(["bash", "-c", line], { env: sandbox.claudeEnv(api) });

  const [first = "", codes, ...rest] = run.stdout.trimEnd().split("\n");
  expect(JSON.parse(first)).toMatchObject({ type: "system" });
  expect({ codes, rest, stderr: run.stderr }).toEqual({ codes: "0 0", rest: [], stderr: "" });
  expect(api.mainRequests).toHaveLength(2);
});

test("cclaude passes on the result of a prompt while claude waits for the next prompt", async () => {
  await using api = await fakeAnthropic(story().fails.limit({ resetsInSeconds: 3_600 }).says("Hello.").says("Bye."));
  await using sandbox = await installedSandbox(newestClaude);
  const streams = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
  const cclaude = sandbox.spawn(["cclaude", "-p", ...streams], { env: sandbox.claudeEnv(api), stdin: "open" });
  const prompt = { type: "user", message: { role: "user", content: [{ type: "text", text: "Say it" }] } };
  for (const awaited of [/"is_error":true/, /"result":"Hello\."/, /"result":"Bye\."/]) {
    cclaude.write(`${JSON.stringify(prompt)}\n`);
    await cclaude.untilOutput(awaited);
  }
  cclaude.closeInput();
  const { exitCode, stdout, stderr } = await cclaude.finished;
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(eventsOf(stdout).filter(({ type }) => type === "result")).toHaveLength(3);
});
