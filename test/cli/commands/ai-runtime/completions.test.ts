import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executable } from "../../../support/executable.ts";
import { powershellErrors } from "../../../support/install/powershell-syntax.ts";
import { addRun, run, sandboxWithClaude } from "../../../support/runs/scripted-claude.ts";
import { createSandbox, type Sandbox } from "../../../support/sandbox/sandbox.ts";
import { HookWorld } from "../../../support/worlds/hook-world.ts";
import { Tmux, tmuxMissing } from "../../../support/terminal/tmux.ts";

// Fish writes its configuration there.
const home = mkdtempSync(join(tmpdir(), "air-shells-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

function print(command: string[]): string {
  const env = { PATH: `${join(executable, "..")}:/usr/bin:/bin`, HOME: home, LC_ALL: "C.UTF-8" };
  const child = Bun.spawnSync(command, { env, cwd: "/", stdin: "ignore" });
  expect({ exitCode: child.exitCode, stderr: child.stderr.toString() }).toEqual({ exitCode: 0, stderr: "" });
  return child.stdout.toString();
}

/** A typed line and the words that must be offered; a word after an exclamation mark must not be. */
const cases: [typed: string, offered: string[]][] = [
  ["ai-runtime inst", ["install", "!uninstall"]],
  ["ai-runtime ", ["checkpoint", "session-snapshot", "completions", "doctor"]],
  ["ai-runtime checkpoint ", ["save", "show", "list", "clear", "!install"]],
  ["ai-runtime checkpoint save --n", ["--next", "!--goal"]],
  ["session-snapshot restore --", ["--to", "--dry-run", "--help", "!--older-than"]],
  ["ai-runtime session-snapshot ver", ["verify"]],
  ["ai-runtime session-snapshot clean --o", ["--older-than"]],
  ["ai-runtime service plan --platform ", ["linux", "darwin", "windows", "!--help"]],
  ["ai-runtime service install --restart a", ["always", "!on-failure"]],
  ["ai-runtime completions ", ["bash", "zsh", "fish", "powershell"]],
];

function expectOffered(words: string[], offered: string[]): void {
  for (const word of offered) {
    if (word.startsWith("!")) expect(words).not.toContain(word.slice(1));
    else expect(words).toContain(word);
  }
}

/** Prints what bash offers at the end of this line. */
function bashScript(typed: string): string {
  const words = typed.split(" ");
  return `eval "$(ai-runtime completions bash)"
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}) COMP_CWORD=${words.length - 1}
    _ai_runtime_complete; printf '%s\\n' "\${COMPREPLY[@]}"`;
}

const fishScript = (typed: string): string => `ai-runtime completions fish | source; complete -C '${typed}'`;

describe.skipIf(Bun.which("bash") === null)("bash completes", () => {
  test.each(cases)("%p", (typed, offered) => {
    expectOffered(print(["bash", "--norc", "-c", bashScript(typed)]).split("\n"), offered);
  });
});

describe.skipIf(Bun.which("fish") === null)("fish completes", () => {
  test.each(cases)("%p", (typed, offered) => {
    const lines = print(["fish", "--no-config", "-c", fishScript(typed)]).split("\n");
    expectOffered(
      lines.map((line) => line.split("\t")[0] ?? ""),
      offered,
    );
    if (!typed.includes("restore") && !typed.includes("save")) expect(lines).not.toContain("usr/");
  });
});

describe("ids on this machine", () => {
  const olderRun = "20261117-090000-aaaa";
  const newerRun = "20261117-100000-bbbb";
  const session = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";

  /** A sandbox with two runs and a session that has a snapshot. */
  async function sandboxWithIds(): Promise<Sandbox> {
    const sandbox = await sandboxWithClaude("exit 9");
    addRun(sandbox, olderRun, { phase: "done" }, { task: "Fix: it\nall\t!" });
    addRun(sandbox, newerRun, { phase: "paused" });
    const hooks = new HookWorld(sandbox.home);
    hooks.grow(session, 1_000, "one");
    await hooks.hook(session);
    return sandbox;
  }

  test("completion-ids prints one id and description per line, the newest first", async () => {
    await using sandbox = await sandboxWithIds();
    expect(await run(sandbox, ["completion-ids", "runs"])).toMatchObject({
      exitCode: 0,
      stdout: `${newerRun}\tTask ${newerRun}\n${olderRun}\tFix: it all !\n`,
      stderr: "",
    });
    expect((await run(sandbox, ["completion-ids", "sessions"])).stdout).toStartWith(`${session}\t`);
    for (const kind of ["services", "nonsense"]) {
      expect(await run(sandbox, ["completion-ids", kind])).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
    }
  });

  const idCases: [typed: string, offered: string[]][] = [
    ["ai-runtime logs ", [olderRun, newerRun, "--help", "!Task"]],
    ["ai-runtime resume 20261117-1", [newerRun, `!${olderRun}`]],
    ["ai-runtime stop --", ["--json", `!${olderRun}`]],
    ["session-snapshot restore ", [session, "--to", `!${olderRun}`]],
    ["session-snapshot clean --session ", [session, "!--yes"]],
    ["ai-runtime session-snapshot view 1b9d", [session]],
  ];

  test.skipIf(Bun.which("bash") === null).each(idCases)("bash offers them after %p", async (typed, offered) => {
    await using sandbox = await sandboxWithIds();
    expectOffered((await sandbox.run(["bash", "--norc", "-c", bashScript(typed)])).stdout.split("\n"), offered);
  });

  test.skipIf(Bun.which("fish") === null).each(idCases)("fish offers them after %p", async (typed, offered) => {
    await using sandbox = await sandboxWithIds();
    const { stdout } = await sandbox.run(["fish", "--no-config", "-c", fishScript(typed)]);
    const words = stdout.split("\n").map((line) => line.split("\t")[0] ?? "");
    expectOffered(words, offered);
  });

  test("the PowerShell script is valid, and asks for the ids of the right kind", async () => {
    const script = Bun.spawnSync([executable, "completions", "powershell"]).stdout.toString();
    expect(await powershellErrors(script)).toEqual([]);
    expect(script).toContain("'ai-runtime logs' = 'runs'\n");
    expect(script).toContain("'session-snapshot clean --session' = 'sessions'\n");
  });
});

const missing = tmuxMissing() ?? (Bun.which("zsh") === null ? "zsh is not installed" : undefined);
test.skipIf(missing !== undefined)("zsh and bash complete at the Tab key, in a terminal", async () => {
  await using sandbox = await createSandbox({ claude: "none" });
  await sandbox.installBinaries(executable);
  await using terminal = new Tmux(sandbox, {}, { columns: 100, rows: 40 });
  await terminal.until(/READY>/);
  /** Types a line and waits for the next prompt, because keys typed while a program starts may be lost. */
  const enter = async (line: string, prompt: RegExp): Promise<void> => {
    terminal.type(line);
    terminal.press("Enter");
    await terminal.until(prompt);
  };
  const complete = async (typed: string, wanted: RegExp): Promise<void> => {
    terminal.type(typed);
    await terminal.until((screen) => screen.includes(typed), typed);
    await terminal.pressUntil("Tab", wanted);
  };
  /** Empties the line. Not with Ctrl-C, because the shell discards keys until it has handled the signal. */
  const leave = async (prompt: string): Promise<void> => {
    terminal.press("C-u");
    await terminal.until((screen) => screen.trimEnd().split("\n").at(-1)?.trimEnd() === prompt, `an empty ${prompt}`);
  };
  await enter('eval "$(ai-runtime completions bash)"; echo LOADED BASH', /^LOADED BASH\nREADY>/m);
  await complete("ai-runtime checkp", /ai-runtime checkpoint/m);
  await complete("cle", /ai-runtime checkpoint clear/);
  await leave("READY>");
  await enter("PS1='ZSH> ' exec zsh -f", /^ZSH>/m);
  const load = 'autoload -U compinit && compinit -D -u; eval "$(ai-runtime completions zsh)"; echo LOADED ZSH';
  await enter(load, /^LOADED ZSH\nZSH>/m);
  await complete("ai-runtime session-snapshot res", /ai-runtime session-snapshot restore/);
  await complete(" --dr", /ai-runtime session-snapshot restore +--dry-run/);
  await leave("ZSH>");
  addRun(sandbox, "20261117-090000-aaaa", { phase: "paused" }, { task: "Fix it: all" });
  await complete("ai-runtime logs 2026", /ai-runtime logs 20261117-090000-aaaa/);
  await leave("ZSH>");
  await complete("ai-runtime checkpoint s", /show +-- shows where the work/);
});

test("an unknown shell is a usage error", () => {
  const child = Bun.spawnSync([executable, "completions", "tcsh"]);
  expect(child.exitCode).toBe(2);
  expect(child.stderr.toString()).toContain('unknown shell "tcsh"; use one of bash, zsh, fish, powershell');
});

describe("the shell function starts cclaude", () => {
  const start = (shell: string): string =>
    shell === "fish" ? "ai-runtime shell-function fish | source" : `eval "$(ai-runtime shell-function ${shell})"`;
  for (const shell of ["bash", "zsh", "fish"]) {
    test.skipIf(Bun.which(shell) === null)(
      `in ${shell}, where there is a cclaude, and with its arguments`,
      async () => {
        await using sandbox = await createSandbox({ claude: "none" });
        await sandbox.installBinaries(executable);
        const words = `${start(shell)}; claude --version`;
        expect((await sandbox.run([shell, "-c", words])).stdout).toStartWith("cclaude ");
        await sandbox.run(["rm", join(sandbox.binDir, "cclaude")]);
        expect((await sandbox.run([shell, "-c", words])).exitCode).toBe(127);
      },
    );
  }
});
