import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executable } from "../support/executable.ts";
import { createSandbox } from "../support/sandbox.ts";
import { Tmux, tmuxMissing } from "../support/tmux.ts";

setDefaultTimeout(120_000);

// Fish makes itself at home wherever that is.
const home = mkdtempSync(join(tmpdir(), "air-shells-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

function run(command: string[]): string {
  const env = { PATH: `${join(executable, "..")}:/usr/bin:/bin`, HOME: home, LC_ALL: "C.UTF-8" };
  const child = Bun.spawnSync(command, { env, cwd: "/", stdin: "ignore" });
  expect({ exitCode: child.exitCode, stderr: child.stderr.toString() }).toEqual({ exitCode: 0, stderr: "" });
  return child.stdout.toString();
}

/** What is typed, and words that must be offered; one with an exclamation mark must not. */
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

describe.skipIf(Bun.which("bash") === null)("bash completes", () => {
  test.each(cases)("%p", (typed, offered) => {
    const words = typed.split(" ");
    const script = `eval "$(ai-runtime completions bash)"
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}) COMP_CWORD=${words.length - 1}
      _ai_runtime_complete; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expectOffered(run(["bash", "--norc", "-c", script]).split("\n"), offered);
  });
});

describe.skipIf(Bun.which("fish") === null)("fish completes", () => {
  test.each(cases)("%p", (typed, offered) => {
    const script = `ai-runtime completions fish | source; complete -C '${typed}'`;
    const lines = run(["fish", "--no-config", "-c", script]).split("\n");
    expectOffered(
      lines.map((line) => line.split("\t")[0] ?? ""),
      offered,
    );
    if (!typed.includes("restore") && !typed.includes("save")) expect(lines).not.toContain("usr/");
  });
});

const missing = tmuxMissing() ?? (Bun.which("zsh") === null ? "zsh is not installed" : undefined);
test.skipIf(missing !== undefined)("zsh and bash complete at the Tab key, in a terminal", async () => {
  await using sandbox = await createSandbox({ claude: "none" });
  await sandbox.installBinaries(executable);
  await using terminal = new Tmux(sandbox, {}, { columns: 100, rows: 40 });
  await terminal.until(/READY>/);
  /** Types it and waits for the prompt after it: keys that come while a program starts may be lost. */
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
  /** Empties the line. Not by Ctrl-C: keys that come before the shell has dealt with its signal are thrown away. */
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
  await complete("ai-runtime checkpoint s", /show +-- shows where the work/);
});

test("an unknown shell is wrong usage", () => {
  const child = Bun.spawnSync([executable, "completions", "tcsh"]);
  expect(child.exitCode).toBe(2);
  expect(child.stderr.toString()).toContain(
    '"tcsh" is no shell that is known; it is one of bash, zsh, fish, powershell',
  );
});

describe("claude means cclaude", () => {
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
