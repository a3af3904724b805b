// A restart never gives claude more rights than it had: the last permission mode of the session counts when it is stricter.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { killableClaude, restoredHeader, skipPermissions } from "../../support/runs/cclaude.ts";
import { installedSandbox } from "../../support/sandbox/installed-sandbox.ts";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { callsTool, hangs } from "../../support/anthropic/replies.ts";
import { story } from "../../support/anthropic/scenario.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import { tmuxMissing } from "../../support/terminal/tmux.ts";
import { untilPrompted, untilTranscript } from "../../support/transcripts/until-transcript.ts";
import { until } from "../../support/until.ts";
import { enterPrompt, openTerminal, run, switchToPlanMode } from "../../support/terminal/host-world.ts";

const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);

/** The modes of all prompts in the only transcript, oldest first. */
async function promptedModes(sandbox: Sandbox): Promise<string[]> {
  const [path = ""] = await sandbox.transcripts();
  const records = readFileSync(path, "utf8").trimEnd().split("\n");
  return records
    .map((line) => JSON.parse(line) as { type?: string; permissionMode?: string })
    .flatMap(({ type, permissionMode }) => (type === "user" && permissionMode !== undefined ? [permissionMode] : []));
}

/** Waits until a hook has written this text for the cclaude that supervises its claude. */
async function untilReported(sandbox: Sandbox, text: string): Promise<void> {
  const places = [join(sandbox.root, "tmp"), join(sandbox.home, ".local/state/ai-runtime/runs/sessions")];
  const filesBelow = (place: string): string[] =>
    existsSync(place) ? readdirSync(place, { recursive: true, encoding: "utf8" }).map((name) => join(place, name)) : [];
  const isReported = (): boolean =>
    places
      .flatMap(filesBelow)
      .filter((path) => /\/session\.\d+\.json$/.test(path))
      .some((path) => readFileSync(path, "utf8").includes(text));
  await until(isReported, `a report with ${text}`);
}

forEachClaude((version) => {
  test.skipIf(missing !== undefined)(
    "a terminal session that was last in plan mode is resumed in plan mode",
    async () => {
      await using sandbox = await installedSandbox(version);
      await sandbox.trustProject();
      const written = join(sandbox.projectDir, "written.txt");
      const claude = killableClaude(sandbox);
      await using api = await fakeAnthropic(
        story()
          .says("Hello from the model.")
          .answers(async () => {
            await untilPrompted(sandbox, "Plan the work");
            claude.kill();
            return hangs();
          })
          .answers(callsTool("Write", { file_path: written, content: "more rights\n" }))
          .says("Went on.", { times: Infinity }),
      );
      const env = { ...sandbox.claudeEnv(api), CCLAUDE_CLAUDE_BIN: claude.path, CCLAUDE_RETRY_SECONDS: "0" };
      await using terminal = await openTerminal(sandbox, env);
      run(terminal, "cclaude --permission-mode acceptEdits 'Say hello'");
      await switchToPlanMode(terminal, /Hello from the model\./);
      await enterPrompt(terminal, "Plan the work");
      await terminal.until(/Do you want to|Went on\./);
      await terminal.pressUntil("Escape", /^(?![^]*Do you want to)/);
      // 2.1.36 clears what was printed before, so only the new screen counts.
      await terminal.until(/CONTEXT RESTORED[^]*plan mode on/);
      expect(existsSync(written)).toBe(false);
      expect(new Set((await promptedModes(sandbox)).slice(1))).toEqual(new Set(["plan"]));
      expect((await api.request(3)).lastText).toContain(restoredHeader);
    },
  );

  test.skipIf(missing !== undefined)(
    "a mode that the user chose while Claude works counts as soon as a hook has reported it",
    async () => {
      await using sandbox = await installedSandbox(version);
      await sandbox.trustProject();
      const claude = killableClaude(sandbox);
      const inPlanMode = Promise.withResolvers<void>();
      const readme = { file_path: join(sandbox.projectDir, "README.md") };
      await using api = await fakeAnthropic(
        story()
          .answers(async () => {
            await inPlanMode.promise;
            return callsTool("Read", readme);
          })
          .answers(async () => {
            await untilReported(sandbox, '"permissionMode":"plan"');
            claude.kill();
            return hangs();
          })
          .says("Went on.", { times: Infinity }),
      );
      const env = { ...sandbox.claudeEnv(api), CCLAUDE_CLAUDE_BIN: claude.path, CCLAUDE_RETRY_SECONDS: "0" };
      await using terminal = await openTerminal(sandbox, env);
      run(terminal, "cclaude --permission-mode acceptEdits 'Read it'");
      await api.request(1);
      await switchToPlanMode(terminal, /Read it/);
      inPlanMode.resolve();
      // 2.1.36 clears what was printed before, so only the new screen counts.
      await terminal.until(/CONTEXT RESTORED[^]*plan mode on/);
    },
  );

  test("a session whose flags skip all permissions is resumed in the stricter mode that its program chose", async () => {
    await using sandbox = await installedSandbox(version);
    const written = join(sandbox.projectDir, "written.txt");
    const claude = killableClaude(sandbox);
    await using api = await fakeAnthropic(
      story()
        .callsTool("Read", { file_path: join(sandbox.projectDir, "README.md") })
        .answers(async () => {
          // 2.1.36 writes the prompt together with the first result.
          await untilTranscript(sandbox, "# A project");
          claude.kill();
          return hangs();
        })
        .answers(callsTool("Write", { file_path: written, content: "more rights\n" }))
        .says("Went on."),
    );
    const request = { subtype: "set_permission_mode", mode: "plan" };
    const lines = [
      { type: "control_request", request_id: "1", request: { subtype: "initialize" } },
      { type: "control_request", request_id: "2", request },
      { type: "user", message: { role: "user", content: [{ type: "text", text: "Plan the work" }] } },
    ];
    const streams = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
    const env = { ...sandbox.claudeEnv(api), CCLAUDE_CLAUDE_BIN: claude.path, CCLAUDE_RETRY_SECONDS: "0" };
    const run = await sandbox.run(["cclaude", "-p", skipPermissions, ...streams], {
      env,
      stdin: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    });

    expect(run.stderr).toContain("cclaude: resuming in permission mode plan");
    expect(existsSync(written)).toBe(false);
    expect(await promptedModes(sandbox)).toEqual(["plan", "plan"]);
  });
});
