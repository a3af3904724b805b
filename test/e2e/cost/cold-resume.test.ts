// A run is resumed hours later: what the resume costs is estimated, shown, measured and learned.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import type { RecordedRequest } from "../../support/anthropic/recorded-request.ts";
import { callsTool, type Reply, says } from "../../support/anthropic/replies.ts";
import { bytesPerToken, story } from "../../support/anthropic/scenario.ts";
import { skipPermissions } from "../../support/runs/cclaude.ts";
import { journalOf, onlyRun, runAiRuntime, step } from "../../support/runs/runs.ts";
import { claudeVersions, newestClaude } from "../../support/sandbox/claude-versions.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";

/** What an API without a cached prompt would count. */
const tokensOf = ({ body }: RecordedRequest): number => Math.round(JSON.stringify(body).length / bytesPerToken);
const usageOf = (request: RecordedRequest): { usage: { input: number; cacheCreation: number } } => ({
  usage: { input: 4, cacheCreation: tokensOf(request) },
});
const resetsAt = Math.round(Date.now() / 1_000) + 7_200;
/** The five-hour window, used to this share. */
const used = (utilization: number): { limit: { resetsAt: number; utilization: number } } => ({
  limit: { resetsAt, utilization },
});
const working =
  (name: string, share: number): Reply =>
  (request) =>
    callsTool("Bash", step(name), { ...usageOf(request), ...used(share) });

/** As if the conversation had stood still for two hours. */
async function age(sandbox: Sandbox): Promise<void> {
  for (const path of await sandbox.transcripts()) {
    const older = (text: string): string => new Date(Date.parse(text) - 7_200_000).toISOString();
    const text = readFileSync(path, "utf8").replace(/(?<="timestamp":")[^"]+(?=")/g, older);
    writeFileSync(path, text);
  }
}

const chosen = process.env["E2E"] === "full" ? claudeVersions : [newestClaude];

test.each(chosen)(
  "the estimate is within 15 %% of what the real client %s was charged, and is corrected",
  async (version) => {
    await using api = await fakeAnthropic(story().answers(working("one", 0.1)).fails.unauthorized({ times: Infinity }));
    await using sandbox = await installedSandbox(version);
    const first = await runAiRuntime(sandbox, api, ["run", "Write steps", skipPermissions]);
    expect(first.exitCode).toBe(77);
    const { id } = onlyRun(sandbox).plan;

    await age(sandbox);
    api.plays(story().answers(working("two", 0.14)).fails.unauthorized({ times: Infinity }));
    const second = await runAiRuntime(sandbox, api, ["resume", id]);
    expect(second.stderr).toMatch(/● resuming \d+k tokens: the prompt cache has expired\n/);

    await age(sandbox);
    api.plays(story().answers((request) => says("All done.", usageOf(request))));
    const third = await runAiRuntime(sandbox, api, ["resume", id]);
    expect(third).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    const settled = journalOf(onlyRun(sandbox)).filter(({ kind }) => kind === "cold-resume");
    expect(settled).toHaveLength(2);
    for (const { estimated, real } of settled as unknown as { estimated: number; real: number }[]) {
      expect(Math.abs(estimated - real) / real).toBeLessThan(0.15);
    }
    // Only a client that reports the window in its stream shows what a resume takes of it.
    if (version === newestClaude)
      expect(third.stderr).toMatch(/● resuming \d+k tokens, about \d+ % of the 5-hour window/);
  },
);

test("coldResume: restore goes back to a point below maxColdTokens", async () => {
  const filler = "x".repeat(60_000);
  await using api = await fakeAnthropic(
    story()
      .answers(working("one", 0.1))
      .answers((request) => callsTool("Write", { file_path: "big.txt", content: filler }, usageOf(request)))
      .answers(working("three", 0.1))
      .fails.limit({ resetsInSeconds: 3_600 }),
  );
  await using sandbox = await installedSandbox(newestClaude);
  await runAiRuntime(sandbox, api, ["run", "Write steps", "--no-wait", skipPermissions]);
  const { id } = onlyRun(sandbox).plan;
  const sizes = api.mainRequests.map(tokensOf);
  const maxTokens = Math.round(((sizes[1] ?? 0) + (sizes[2] ?? 0)) / 2);
  await age(sandbox);
  api.plays(story().says("All done."));
  const env = { AI_RUNTIME_COLD_RESUME: "restore", AI_RUNTIME_MAX_COLD_TOKENS: String(maxTokens) };
  const resumed = await runAiRuntime(sandbox, api, ["resume", id], { env });
  expect(resumed).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
  const request = api.mainRequests.at(-1);
  expect(JSON.stringify(request?.body.messages)).not.toContain(filler);
  expect(request && tokensOf(request)).toBeLessThan((sizes[2] ?? 0) - 5_000);
  const backups = readFileSync(join(onlyRun(sandbox).plan.directory, "journal.jsonl"), "utf8");
  expect(backups).toContain('"kind":"restored"');
});
