// State and settings of version 0.1.0 under this version. Needs its executable: see scripts/old-executable.ts.
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fakeAnthropic } from "../support/anthropic/fake-anthropic.ts";
import { story } from "../support/anthropic/scenario.ts";
import { executable } from "../support/executable.ts";
import { runCclaude, skipPermissions } from "../support/runs/cclaude.ts";
import { onlyRun, runAiRuntime, step, stepsDone, untilRun } from "../support/runs/runs.ts";
import { newestClaude } from "../support/sandbox/claude-versions.ts";
import { endLeftovers } from "../support/sandbox/leftover-processes.ts";
import { createSandbox, type Sandbox } from "../support/sandbox/sandbox.ts";

const old = process.env["OLD_AI_RUNTIME"] ?? "";
if (old === "") console.error("skipped: OLD_AI_RUNTIME does not name an old executable");

async function replaceBinaries(sandbox: Sandbox): Promise<void> {
  for (const name of ["ai-runtime", "cclaude", "session-snapshot"]) rmSync(join(sandbox.binDir, name));
  await sandbox.installBinaries(executable);
}

test.skipIf(old === "")("an upgrade from 0.1.0 keeps snapshots, runs, checkpoints and settings", async () => {
  await using sandbox = await createSandbox({ claude: newestClaude });
  await sandbox.installBinaries(old);
  await using api = await fakeAnthropic(
    story()
      .callsTool("Bash", { command: "echo first-result" })
      .says("Wrote it.")
      .callsTool("Bash", step("one"))
      .hangs()
      .callsTool("Bash", step("two"))
      .says("All done.")
      .says("Saw it."),
  );
  const settings = join(sandbox.configDir, "settings.json");
  const before = '{\n  "cleanupPeriodDays": 90,\n  "model": "opus"\n}\n';
  mkdirSync(sandbox.configDir);
  writeFileSync(settings, before);
  expect(await runAiRuntime(sandbox, api, ["install"])).toMatchObject({ exitCode: 0 });
  await runCclaude(sandbox, api, ["-p", "Remember this", skipPermissions]);
  const [transcript = ""] = await sandbox.transcripts();
  const session = basename(transcript, ".jsonl");
  await runAiRuntime(sandbox, api, ["run", "Two steps", skipPermissions, "--detach"]);
  await api.request(4);
  await untilRun(sandbox, ({ status }) => status.phase === "working");
  await runAiRuntime(sandbox, api, ["checkpoint", "save", "--goal", "Ship the cart"]);
  await endLeftovers(sandbox.root);

  await replaceBinaries(sandbox);
  expect(await runAiRuntime(sandbox, api, ["install"])).toMatchObject({ exitCode: 0 });
  const status = await sandbox.run(["session-snapshot", "status", "--json"]);
  expect(status.stdout).toContain(session);
  expect((await runAiRuntime(sandbox, api, ["checkpoint", "show"])).stdout).toContain("Ship the cart");

  // The run continues where the old version was killed.
  const { plan } = onlyRun(sandbox);
  expect(await runAiRuntime(sandbox, api, ["resume", plan.id])).toMatchObject({ exitCode: 0 });
  expect(stepsDone(sandbox)).toEqual(["one", "two"]);

  // A deleted transcript comes back from the snapshot that the old version took.
  const whole = readFileSync(transcript);
  rmSync(transcript);
  const resumed = await runCclaude(sandbox, api, ["-p", "What was it?", "--resume", session, skipPermissions]);
  expect(resumed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Saw it.") });
  const told = api.mainRequests.at(-1)?.conversationText;
  for (const words of ["Remember this", "first-result", "What was it?"]) expect(told).toContain(words);
  expect(readFileSync(transcript).subarray(0, whole.length).equals(whole)).toBe(true);

  expect(await runAiRuntime(sandbox, api, ["uninstall"])).toMatchObject({ exitCode: 0 });
  expect(readFileSync(settings, "utf8")).toBe(before);
});
