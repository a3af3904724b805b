// Services under a real `systemd --user`, with the real client.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setAge } from "../../support/worlds/age-snapshot.ts";
import { type ClaudeVersion, forEachClaude, newestClaude } from "../../support/sandbox/claude-versions.ts";
import { executable } from "../../support/executable.ts";
import { type FakeAnthropic, fakeAnthropic } from "../../support/anthropic/fake-anthropic.ts";
import { leftoverProcesses } from "../../support/sandbox/leftover-processes.ts";
import { createSandbox, type Sandbox } from "../../support/sandbox/sandbox.ts";
import { story } from "../../support/anthropic/scenario.ts";
import { Tmux, tmuxMissing } from "../../support/terminal/tmux.ts";
import { untilFile } from "../../support/until-file.ts";
import { untilPrompted, untilTranscript } from "../../support/transcripts/until-transcript.ts";
import { freeze, systemdMissing, UserSystemd } from "../../support/service/user-systemd.ts";

const missing = await systemdMissing();
if (missing) console.error(`skipped: ${missing}`);

interface Installed {
  readonly slug: string;
  readonly unit: string;
  readonly log: string;
}

/** Installs a service for the sandbox's project; `words` are arguments of install, `flags` are claude's. */
async function install(
  sandbox: Sandbox,
  api: FakeAnthropic,
  { words = [], flags = [] }: { readonly words?: readonly string[]; readonly flags?: readonly string[] } = {},
): Promise<Installed> {
  const env = Object.entries(sandbox.claudeEnv(api)).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  const own = ["service", "install", "--json", "--restart-delay", "1s", ...env, ...words];
  const result = await sandbox.run(["ai-runtime", ...own, "--", ...flags]);
  expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  const { slug } = JSON.parse(result.stdout) as { slug: string };
  const services = join(sandbox.home, ".local/state/ai-runtime/services");
  return { slug, unit: `ai-runtime-${slug}.service`, log: join(services, `${slug}.log`) };
}

async function serviceSandbox(claude: ClaudeVersion = newestClaude): Promise<Sandbox> {
  const sandbox = await createSandbox({ claude });
  await sandbox.installBinaries(executable);
  await sandbox.trustProject();
  return sandbox;
}

/** The pid of the last claude in the log. */
const claudePid = (log: string): number =>
  Number([...readFileSync(log, "utf8").matchAll(/process (\d+)/g)].at(-1)?.[1]);

/** Every file below a directory except those of Claude, which also registers itself with xdg-mime, and systemd. */
const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (path) =>
        !/\/\.claude|\/\.cache\/|\/\.npm|\/applications\/claude|\/mimeapps\.list$|\/session-snapshot\//.test(path),
    )
    .sort();

const allowWork = ["--permission-mode", "acceptEdits", "--allowedTools", "Bash"];

describe.skipIf(missing !== undefined)("a service under systemd", () => {
  test("is not restarted by a second install, and leaves no file, unit or process after uninstall", async () => {
    await using api = await fakeAnthropic(story().says("Hello."));
    await using sandbox = await serviceSandbox();
    await using systemd = await UserSystemd.start(sandbox);
    const before = filesIn(sandbox.home);
    const { slug, unit, log } = await install(sandbox, api, { flags: ["Say hello"] });
    await untilTranscript(sandbox, "Hello.");
    const first = systemd.facts(unit).MainPID;
    await install(sandbox, api, { flags: ["Say hello"] });
    expect(systemd.facts(unit).MainPID).toBe(first);
    const status = await sandbox.run(["ai-runtime", "service", "status", "--json"]);
    expect(JSON.parse(status.stdout)).toMatchObject({
      services: [{ service: slug, workspace: sandbox.projectDir, state: "running", pid: Number(first), restarts: 0 }],
    });
    const logs = await sandbox.run(["ai-runtime", "service", "logs"]);
    expect(logs.stdout).toBe(readFileSync(log, "utf8"));
    const claude = claudePid(log);

    const uninstalled = await sandbox.run(["ai-runtime", "service", "uninstall"]);
    expect(uninstalled).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining(`Service ${slug} is removed.`),
    });
    expect(filesIn(sandbox.home)).toEqual(before);
    expect(systemd.facts(unit)).toMatchObject({ LoadState: "not-found", ActiveState: "inactive" });
    expect(existsSync(`/proc/${claude}`)).toBe(false);
    const left = leftoverProcesses(sandbox.root).map((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8"));
    expect(left.filter((words) => /claude|ai-runtime/.test(words))).toEqual([]);
    expect((await sandbox.run(["ai-runtime", "service", "status"])).exitCode).toBe(4);
  });

  test("stops restarting a crashing claude after the configured burst", async () => {
    await using api = await fakeAnthropic();
    await using sandbox = await serviceSandbox();
    await using systemd = await UserSystemd.start(sandbox);
    // The real client exits with code 1 on an unknown flag.
    const { unit, log } = await install(sandbox, api, { words: ["--burst", "3"], flags: ["--no-such-flag"] });
    const facts = await systemd.until(unit, ({ ActiveState }) => ActiveState === "failed");
    expect(facts).toMatchObject({ Result: "exit-code", NRestarts: "3" });
    expect(readFileSync(log, "utf8").match(/claude ended: exit code 1/g)).toHaveLength(3);
    const status = await sandbox.run(["ai-runtime", "service", "status", "--json"]);
    expect(JSON.parse(status.stdout).services).toMatchObject([{ state: "failed", lastExitCode: 1 }]);
  });

  test("does not continue a conversation that is eight days old", async () => {
    await using api = await fakeAnthropic(story().says("Old words."));
    await using sandbox = await serviceSandbox();
    await sandbox.claude(api, ["-p", "An old question"]);
    const [old = ""] = await sandbox.transcripts();
    setAge(old, 8 * 86_400_000);
    await using _systemd = await UserSystemd.start(sandbox);
    api.plays(story().says("New words."));
    const { log } = await install(sandbox, api, { flags: ["A new question"] });
    const request = await api.request(2);
    expect(request.conversationText).toContain("A new question");
    expect(request.conversationText).not.toContain("An old question");
    expect(readFileSync(log, "utf8")).toMatch(/\(plain, .* is 8d old, more than 7d/);
  });

  test.skipIf(tmuxMissing() !== undefined)(
    "keeps the whole conversation when a user attaches and talks to claude and claude is then killed",
    async () => {
      await using api = await fakeAnthropic(story().says("First answer.").says("Second answer.").says("Third answer."));
      await using sandbox = await serviceSandbox();
      await using systemd = await UserSystemd.start(sandbox);
      const { slug, unit, log } = await install(sandbox, api, { flags: ["First question"] });
      await using terminal = new Tmux(sandbox, {}, { columns: 100, rows: 30 });
      const attach = async (expected: RegExp): Promise<void> => {
        await terminal.until(/READY>\s*$/);
        terminal.type(`clear; ai-runtime attach ${slug}`);
        terminal.press("Enter");
        await terminal.until(expected);
      };
      const ask = async (question: string, answer: RegExp): Promise<void> => {
        terminal.type(question);
        await terminal.until((screen) => screen.includes(question));
        terminal.press("Enter");
        await terminal.until(answer);
      };
      await attach(/First answer\./);
      await ask("Second question", /Second answer\./);
      await untilTranscript(sandbox, "Second answer.");
      process.kill(claudePid(log), "SIGKILL");
      await systemd.until(unit, ({ NRestarts, SubState }) => NRestarts === "1" && SubState === "running");
      await attach(/Second answer\.[^]*[>❯]/);
      await ask("Third question", /Third answer\./);
      const third = await api.request(3);
      for (const words of ["First question", "First answer.", "Second question", "Second answer.", "Third question"]) {
        expect(third.conversationText).toContain(words);
      }
      expect(readFileSync(log, "utf8")).toMatch(/\(--continue, process \d+\): continuing conversation \S+\n/);
    },
  );

  test("restarts a stuck claude by its watchdog, with its history", async () => {
    await using api = await fakeAnthropic(story().hangs({ saying: "I will" }).says("Done after all."));
    await using sandbox = await serviceSandbox();
    await using systemd = await UserSystemd.start(sandbox);
    const { unit, log } = await install(sandbox, api, { words: ["--watchdog", "6s"], flags: ["A long task"] });
    await api.request(1);
    await untilPrompted(sandbox, "A long task");
    // The process stays alive but does not even react to SIGTERM.
    freeze(claudePid(log));
    const second = await api.request(2);
    expect(second.conversationText).toContain("A long task");
    expect(second.conversationText).toContain("[AI-RUNTIME CONTEXT RESTORED]");
    const said = readFileSync(log, "utf8");
    expect(said).toMatch(
      /watchdog: claude is working, but its transcript and screen have not changed for \d+s; restarting it/,
    );
    expect(said).toContain("claude ended: SIGKILL");
    // systemd did not restart the service: its host kept running.
    expect(systemd.facts(unit)).toMatchObject({ NRestarts: "0", SubState: "running" });
  });

  test("does not restart claude at a limit, and continues after the reset", async () => {
    await using api = await fakeAnthropic(story().fails.limit({ resetsInSeconds: 5 }).says("Went on."));
    // This version does not continue after a limit on its own.
    await using sandbox = await serviceSandbox("2.1.197");
    await using _systemd = await UserSystemd.start(sandbox);
    const words = ["--watchdog", "2s", "--env", "AI_RUNTIME_CONTINUE_AFTER_SECONDS=1"];
    const { log } = await install(sandbox, api, { words, flags: ["A first question"] });
    const { conversationText } = await api.request(2);
    expect(conversationText.includes("A first question")).toBe(true);
    expect(conversationText.includes("The usage limit has reset.")).toBe(true);
    expect(readFileSync(log, "utf8")).not.toContain("watchdog");
  });

  const specialCharacters = `a b %h %% $HOME \${x} "q" 'r' ; & <é> 🚀 \\ #`;

  test("starts claude through a wrapper in a workspace with special characters in its name", async () => {
    await using api = await fakeAnthropic(story().says("Hello."));
    await using sandbox = await serviceSandbox();
    const workspace = join(sandbox.root, `${specialCharacters}\nand more`);
    mkdirSync(workspace);
    await sandbox.trustProject(workspace);
    await using _systemd = await UserSystemd.start(sandbox);
    const prompt = `Say ${specialCharacters}\n to all`;
    const { log } = await install(sandbox, api, { words: [workspace], flags: [prompt] });
    expect((await api.request(1)).conversationText.includes(prompt)).toBe(true);
    expect(readlinkSync(`/proc/${claudePid(log)}/cwd`)).toBe(workspace);
  });

  test("starts claude directly with --no-resume-on-restart and passes its arguments unchanged", async () => {
    await using api = await fakeAnthropic(story().says("Hello."));
    await using sandbox = await serviceSandbox();
    const workspace = join(sandbox.root, specialCharacters);
    mkdirSync(workspace);
    await using systemd = await UserSystemd.start(sandbox);
    const prompt = `Say ${specialCharacters}\n to all`;
    const words = [workspace, "--no-resume-on-restart"];
    const { unit, log } = await install(sandbox, api, { words, flags: ["-p", prompt] });
    expect((await api.request(1)).conversationText.includes(prompt)).toBe(true);
    await systemd.until(unit, ({ ActiveState }) => ActiveState === "inactive");
    expect(readFileSync(log, "utf8")).toBe("Hello.\n");
    const [transcript = ""] = await sandbox.transcripts();
    expect(readFileSync(transcript, "utf8")).toContain(JSON.stringify(workspace).slice(1, -1));
    expect(existsSync(join(sandbox.home, ".ai-runtime"))).toBe(false);
  });
});

forEachClaude((version) => {
  test.skipIf(missing !== undefined)(
    "a service resumes a claude that was killed at work with its whole history",
    async () => {
      const command = "echo one > a.txt";
      await using api = await fakeAnthropic(
        story().callsTool("Bash", { command, description: "Write" }).hangs().says("All done."),
      );
      await using sandbox = await serviceSandbox(version);
      await using systemd = await UserSystemd.start(sandbox);
      const { unit, log } = await install(sandbox, api, { flags: ["Write a file", ...allowWork] });
      expect(readFileSync(log, "utf8")).toMatch(/\(plain, process \d+\): this workspace has no conversation yet/);
      await api.request(2);
      // A step that is not in the transcript yet cannot be restored.
      await untilTranscript(sandbox, '"tool_result"');
      process.kill(claudePid(log), "SIGKILL");
      const third = await api.request(3);
      expect(third.conversationText).toContain("Write a file");
      expect(JSON.stringify(third.body.messages)).toContain(command);
      expect(third.conversationText).toContain("[AI-RUNTIME CONTEXT RESTORED]");
      expect(third.sessionId).toBe(api.mainRequests[0]?.sessionId ?? "");
      expect(await untilFile(log, (text) => text.includes("(--continue, process"))).toContain("claude ended: SIGKILL");
      expect((await systemd.until(unit, ({ SubState }) => SubState === "running")).NRestarts).toBe("1");
    },
  );
});
