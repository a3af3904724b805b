// Services under a real `systemd --user`, with the real client.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setAge } from "../support/age-snapshot.ts";
import { type ClaudeVersion, forEachClaude, newestClaude } from "../support/claude-versions.ts";
import { executable } from "../support/executable.ts";
import { type FakeAnthropic, fakeAnthropic } from "../support/fake-anthropic.ts";
import { leftoverProcesses } from "../support/leftover-processes.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { story } from "../support/scenario.ts";
import { Tmux, tmuxMissing } from "../support/tmux.ts";
import { untilFile } from "../support/until-file.ts";
import { untilTranscript } from "../support/until-transcript.ts";
import { freeze, systemdMissing, UserSystemd } from "../support/user-systemd.ts";

setDefaultTimeout(180_000);
const missing = await systemdMissing();
if (missing) console.error(`skipped: ${missing}`);

interface Installed {
  readonly slug: string;
  readonly unit: string;
  readonly log: string;
}

/** Installs a service for the sandbox's project; `words` are install's own, `flags` are claude's. */
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

/** The claude that the log names last. */
const claudeIn = (log: string): number => Number([...readFileSync(log, "utf8").matchAll(/process (\d+)/g)].at(-1)?.[1]);

/** Every file below a directory, but Claude's own and what systemd keeps for itself. */
const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\/\.claude|\/\.cache\/|\/\.npm|\/applications\/claude|\/session-snapshot\//.test(path))
    .sort();

const working = ["--permission-mode", "acceptEdits", "--allowedTools", "Bash"];

describe.skipIf(missing !== undefined)("a service under systemd", () => {
  test("installed twice it is left alone; uninstalled it leaves no file, unit or process", async () => {
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
    const claude = claudeIn(log);

    const gone = await sandbox.run(["ai-runtime", "service", "uninstall"]);
    expect(gone).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`Service ${slug} is gone.`) });
    expect(filesIn(sandbox.home)).toEqual(before);
    expect(systemd.facts(unit)).toMatchObject({ LoadState: "not-found", ActiveState: "inactive" });
    expect(existsSync(`/proc/${claude}`)).toBe(false);
    const left = leftoverProcesses(sandbox.root).map((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8"));
    expect(left.filter((words) => /claude|ai-runtime/.test(words))).toEqual([]);
    expect((await sandbox.run(["ai-runtime", "service", "status"])).exitCode).toBe(4);
  });

  test("a crash loop stops after the burst", async () => {
    await using api = await fakeAnthropic();
    await using sandbox = await serviceSandbox();
    await using systemd = await UserSystemd.start(sandbox);
    // The real client refuses a flag that it does not know, with exit code 1.
    const { unit, log } = await install(sandbox, api, { words: ["--burst", "3"], flags: ["--no-such-flag"] });
    const facts = await systemd.until(unit, ({ ActiveState }) => ActiveState === "failed");
    expect(facts).toMatchObject({ Result: "exit-code", NRestarts: "3" });
    expect(readFileSync(log, "utf8").match(/claude ended: exit code 1/g)).toHaveLength(3);
    const status = await sandbox.run(["ai-runtime", "service", "status", "--json"]);
    expect(JSON.parse(status.stdout).services).toMatchObject([{ state: "failed", lastExitCode: 1 }]);
  });

  test("a conversation that is eight days old is not continued", async () => {
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
    expect(readFileSync(log, "utf8")).toMatch(/\(plain, .* is 8 days old, and 7 days is the most/);
  });

  test.skipIf(tmuxMissing() !== undefined)(
    "attached to, talked to, killed, and it knows all that was said",
    async () => {
      await using api = await fakeAnthropic(story().says("First answer.").says("Second answer.").says("Third answer."));
      await using sandbox = await serviceSandbox();
      await using systemd = await UserSystemd.start(sandbox);
      const { slug, unit, log } = await install(sandbox, api, { flags: ["First question"] });
      await using terminal = new Tmux(sandbox, {}, { columns: 100, rows: 30 });
      const attach = async (wanted: RegExp): Promise<void> => {
        await terminal.until(/READY>\s*$/);
        terminal.type(`clear; ai-runtime attach ${slug}`);
        terminal.press("Enter");
        await terminal.until(wanted);
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
      process.kill(claudeIn(log), "SIGKILL");
      await systemd.until(unit, ({ NRestarts, SubState }) => NRestarts === "1" && SubState === "running");
      await attach(/Second answer\.[^]*[>❯]/);
      await ask("Third question", /Third answer\./);
      const third = await api.request(3);
      for (const words of ["First question", "First answer.", "Second question", "Second answer.", "Third question"]) {
        expect(third.conversationText).toContain(words);
      }
      expect(readFileSync(log, "utf8")).toMatch(/\(--continue, process \d+\): conversation \S+ is there\n/);
    },
  );

  test("a stuck one is restarted by the watchdog, with its history", async () => {
    await using api = await fakeAnthropic(story().hangs({ saying: "I will" }).says("Done after all."));
    await using sandbox = await serviceSandbox();
    await using systemd = await UserSystemd.start(sandbox);
    const { unit, log } = await install(sandbox, api, { words: ["--watchdog", "6s"], flags: ["A long task"] });
    await api.request(1);
    await untilTranscript(sandbox, "A long task");
    // It lives, and does nothing, not even at SIGTERM.
    freeze(claudeIn(log));
    const second = await api.request(2);
    expect(second.conversationText).toContain("A long task");
    expect(second.conversationText).toContain("[AI-RUNTIME CONTEXT RESTORED]");
    const said = readFileSync(log, "utf8");
    expect(said).toMatch(
      /watchdog: claude is at work, but neither its transcript nor its screen has changed for \d+ s; it is stopped/,
    );
    expect(said).toContain("claude ended: SIGKILL");
    // The host itself went on all the while.
    expect(systemd.facts(unit)).toMatchObject({ NRestarts: "0", SubState: "running" });
  });

  test("at a limit it is left alone, and goes on when that has reset", async () => {
    await using api = await fakeAnthropic(story().fails.limit({ resetsInSeconds: 5 }).says("Went on."));
    // One that does not go on by itself.
    await using sandbox = await serviceSandbox("2.1.197");
    await using _systemd = await UserSystemd.start(sandbox);
    const words = ["--watchdog", "2s", "--env", "AI_RUNTIME_CONTINUE_AFTER_SECONDS=1"];
    const { log } = await install(sandbox, api, { words, flags: ["A first question"] });
    const { conversationText } = await api.request(2);
    expect(conversationText.includes("A first question")).toBe(true);
    expect(conversationText.includes("The usage limit has reset.")).toBe(true);
    expect(readFileSync(log, "utf8")).not.toContain("watchdog");
  });

  const hostile = `a b %h %% $HOME \${x} "q" 'r' ; & <é> 🚀 \\ #`;

  test("a workspace of any name, with a wrapper", async () => {
    await using api = await fakeAnthropic(story().says("Hello."));
    await using sandbox = await serviceSandbox();
    const workspace = join(sandbox.root, `${hostile}\nand more`);
    mkdirSync(workspace);
    await sandbox.trustProject(workspace);
    await using _systemd = await UserSystemd.start(sandbox);
    const prompt = `Say ${hostile}\n to all`;
    const { log } = await install(sandbox, api, { words: [workspace], flags: [prompt] });
    expect((await api.request(1)).conversationText.includes(prompt)).toBe(true);
    expect(readlinkSync(`/proc/${claudeIn(log)}/cwd`)).toBe(workspace);
  });

  test("without one, systemd starts claude itself, with the very words", async () => {
    await using api = await fakeAnthropic(story().says("Hello."));
    await using sandbox = await serviceSandbox();
    const workspace = join(sandbox.root, hostile);
    mkdirSync(workspace);
    await using systemd = await UserSystemd.start(sandbox);
    const prompt = `Say ${hostile}\n to all`;
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
    "killed in the middle of its work, it goes on with the whole history",
    async () => {
      const command = "echo one > a.txt";
      await using api = await fakeAnthropic(
        story().callsTool("Bash", { command, description: "Write" }).hangs().says("All done."),
      );
      await using sandbox = await serviceSandbox(version);
      await using systemd = await UserSystemd.start(sandbox);
      const { unit, log } = await install(sandbox, api, { flags: ["Write a file", ...working] });
      expect(readFileSync(log, "utf8")).toMatch(
        /\(plain, process \d+\): there is no conversation of this workspace yet/,
      );
      await api.request(2);
      // What Claude has not written yet, nobody can know after its death.
      await untilTranscript(sandbox, '"tool_result"');
      process.kill(claudeIn(log), "SIGKILL");
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
