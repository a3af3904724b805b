// Before a run resumes a large conversation whose prompt cache has expired, it asks on a terminal.
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectDirectoryName } from "../../../../src/claude/paths.ts";
import { finishingClaude } from "../../../support/notify/finishing-claude.ts";
import { addRun, run, sandboxWithClaude } from "../../../support/runs/scripted-claude.ts";
import type { Sandbox } from "../../../support/sandbox/sandbox.ts";
import { OuterTerminal } from "../../../support/terminal/outer-terminal.ts";

const id = "20270115-080000-aaaa";
const sessionId = "5d0b5f8e-0000-4000-8000-00000000aaaa";

/** An interrupted run with 250,000 tokens of context, an hour after its last answer. */
async function interruptedRun(): Promise<Sandbox> {
  const sandbox = await sandboxWithClaude(finishingClaude);
  addRun(sandbox, id, { phase: "paused", cause: "interrupted", attempts: 1, since: Date.now() }, { sessionId });
  const project = join(sandbox.configDir, "projects", projectDirectoryName(sandbox.projectDir));
  mkdirSync(project, { recursive: true });
  const timestamp = new Date(Date.now() - 2 * 3_600_000).toISOString();
  const usage = { input_tokens: 10, cache_read_input_tokens: 249_000, cache_creation_input_tokens: 990 };
  const message = { id: "m", role: "assistant", content: [{ type: "text", text: "Half." }], usage };
  const lines = [
    { type: "user", uuid: "u0", parentUuid: null, sessionId, timestamp, message: { role: "user", content: "Do it" } },
    { type: "assistant", uuid: "a0", parentUuid: "u0", sessionId, timestamp, message },
  ];
  writeFileSync(join(project, `${sessionId}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return sandbox;
}

const hasStarted = ({ home }: Sandbox): boolean => existsSync(join(home, "starts"));

test.each([
  ["Enter continues", "\r", true],
  ["n stops", "n\r", false],
  ["Ctrl-C stops", "\x03", false],
])("on a terminal it shows the size and asks: %s", async (_, keys, continues) => {
  await using sandbox = await interruptedRun();
  await using outer = new OuterTerminal(sandbox, ["ai-runtime", "resume", id]);
  await outer.until("Continue? [Y]es, [r]estore to at most 200k tokens, or [n]o");
  expect(outer.text).toContain("resuming 250k tokens");
  expect(hasStarted(sandbox)).toBe(false);
  outer.type(keys);
  const { bytes, exitCode } = await outer.end();
  expect([hasStarted(sandbox), exitCode === 0]).toEqual([continues, continues]);
  expect(bytes.includes("Done.")).toBe(continues);
});

test("without a terminal it shows the size and continues", async () => {
  await using sandbox = await interruptedRun();
  const { stderr, stdout, exitCode } = await run(sandbox, ["resume", id]);
  expect([exitCode, stdout, stderr]).toEqual([0, "Done.\n", expect.stringContaining("resuming 250k tokens")]);
  expect(stderr).not.toContain("Continue?");
});
