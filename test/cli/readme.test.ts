import { expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { aiRuntime } from "../../src/cli/programs/ai-runtime.ts";
import { executable } from "../support/executable.ts";

const root = join(import.meta.dir, "../..");
const readme = readFileSync(join(root, "README.md"), "utf8");

/** The shell commands of a section. */
function commandsOf(section: string): string {
  const text = readme.split(`\n## ${section}\n`)[1]?.split("\n## ")[0] ?? "";
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands]) => commands ?? "");
  if (blocks.length === 0) throw new Error(`the README has no commands under ${section}`);
  return blocks.join("");
}

/** A new user who has just cloned the repository: an empty home, git, Node, npm, and the Bun that runs the tests. */
class Newcomer implements Disposable {
  readonly place = realpathSync(mkdtempSync(join(tmpdir(), "newcomer-")));
  readonly home = join(this.place, "home");
  readonly checkout = join(this.place, "ai-runtime");
  readonly bin = join(this.home, ".local/bin");

  constructor() {
    for (const path of [this.home, this.checkout, join(this.place, "tmp")]) mkdirSync(path);
    const files = "git ls-files -z --cached --others --exclude-standard | xargs -0 ls -d 2>/dev/null";
    const copy = `cd "${root}" && ${files} | tar -cf - -T - | tar -xf - -C "${this.checkout}"`;
    const { exitCode, stderr } = Bun.spawnSync(["sh", "-c", copy]);
    if (exitCode !== 0) throw new Error(stderr.toString());
  }

  async type(commands: string): Promise<{ exitCode: number; output: string }> {
    const tools = [process.execPath, Bun.which("node") ?? "", Bun.which("npm") ?? ""].map((path) => dirname(path));
    // Only the variables with which npm and Bun find packages are inherited.
    const kept = Object.entries(process.env).filter(([name]) => /^(npm_config_|BUN_INSTALL|https?_proxy$)/i.test(name));
    const env = {
      ...Object.fromEntries(kept),
      npm_config_userconfig: process.env["npm_config_userconfig"] ?? join(process.env["HOME"] ?? "", ".npmrc"),
      BUN_INSTALL_CACHE_DIR:
        process.env["BUN_INSTALL_CACHE_DIR"] ?? join(process.env["HOME"] ?? "", ".bun/install/cache"),
      HOME: this.home,
      TMPDIR: join(this.place, "tmp"),
      SHELL: "/bin/sh",
      PATH: [this.bin, ...new Set(tools), "/usr/bin", "/bin"].join(":"),
    };
    const child = Bun.spawn(["sh", "-e", "-c", `{ ${commands}\n} 2>&1`], {
      env,
      cwd: this.checkout,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    });
    const [output, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
    return { exitCode, output };
  }

  [Symbol.dispose](): void {
    rmSync(this.place, { recursive: true, force: true });
  }
}

test.skipIf(process.platform === "win32" || Bun.which("npm") === null)(
  "a new user can run the commands of the README: demo, install, doctor, uninstall",
  async () => {
    using newcomer = new Newcomer();
    const commands = commandsOf("Start");
    expect(commands).toContain("ai-runtime doctor");
    // Without a claude on PATH, the doctor would report a problem.
    const claude = `mkdir -p ${newcomer.bin} && printf '#!/bin/sh\\necho "2.1.326 (Claude Code)"\\n' >${newcomer.bin}/claude && chmod +x ${newcomer.bin}/claude`;
    await newcomer.type(claude);
    const { exitCode, output } = await newcomer.type(commands);
    expect(output).toContain("✔ done");
    expect(output).toContain("Everything is fine.");
    expect(exitCode).toBe(0);
    expect(readdirSync(newcomer.bin).sort()).toEqual(["ai-runtime", "cclaude", "claude", "session-snapshot"]);
    expect(existsSync(join(newcomer.home, ".claude/settings.json"))).toBe(true);
    expect(readdirSync(join(newcomer.place, "tmp")).filter((name) => name.startsWith("ai-runtime-"))).toEqual([]);
    const end = await newcomer.type(commandsOf("Uninstall"));
    expect(end).toMatchObject({ exitCode: 0, output: expect.stringContaining("Snapshots are kept in ") });
    expect(readdirSync(newcomer.bin)).toEqual(["claude"]);
    expect(existsSync(join(newcomer.home, ".claude/settings.json"))).toBe(false);
    expect(existsSync(join(newcomer.home, ".local/state/ai-runtime"))).toBe(false);
  },
);

test("README, package, plugin, marketplace and manual page begin with the same sentence", () => {
  const sentence = `${aiRuntime.summary[0]?.toUpperCase()}${aiRuntime.summary.slice(1)}`;
  for (const file of [
    "README.md",
    "package.json",
    "plugin/.claude-plugin/plugin.json",
    ".claude-plugin/marketplace.json",
  ])
    expect([file, readFileSync(join(root, file), "utf8").includes(sentence)]).toEqual([file, true]);
  const page = Bun.spawnSync([executable, "man"]).stdout.toString().replaceAll("\\-", "-");
  expect(page).toContain(`session-snapshot - ${aiRuntime.summary}`);
});

test("every command in the README and on the pages for users exists", () => {
  // Pages for maintainers also name internal verbs.
  const forMaintainers = /DESIGN|FORMAT|RELIABILITY/;
  const files = [...new Bun.Glob("docs/*.md").scanSync(root)].filter((file) => !forMaintainers.test(file));
  const pages = files.map((file) => readFileSync(join(root, file), "utf8"));
  const text = [readme, ...pages].join("\n");
  const named = [...text.matchAll(/(?<![\w/.-])(ai-runtime|session-snapshot)((?: [a-z][a-z-]+)+)/g)].map(
    ([, program = "", words = ""]) => [program, words.trim().split(" ")] as const,
  );
  const known = new Map<string, Set<string>>();
  const verbsOf = (...words: string[]): Set<string> => {
    const key = words.join(" ");
    const help = known.has(key) ? "" : Bun.spawnSync([executable, ...words, "--help"]).stdout.toString();
    const rows = help
      .split(/\n(?:Commands|Programs[^\n]*):\n/)
      .slice(1)
      .join("\n");
    if (!known.has(key))
      known.set(key, new Set([...rows.matchAll(/^ {2}([a-z][a-z-]+) {2}/gm)].map(([, verb]) => verb ?? "")));
    return known.get(key) ?? new Set();
  };
  const inCode = new Set([...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? ""));
  const wrong = named.filter(([program, [verb = ""]]) => {
    // Only text in code marks is a command; prose may say "ai-runtime is".
    if (![...inCode].some((code) => code.includes(`${program} ${verb}`))) return false;
    return !verbsOf(...(program === "ai-runtime" ? [] : [program])).has(verb);
  });
  expect(named.length).toBeGreaterThan(20);
  expect(wrong).toEqual([]);
});

test("every file that the README and the documents link to exists", () => {
  for (const file of [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    ...new Bun.Glob("docs/*.md").scanSync(root),
  ]) {
    const text = readFileSync(join(root, file), "utf8");
    const targets = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target]) => target ?? "");
    for (const target of targets)
      expect([file, target, existsSync(join(root, dirname(file), target))]).toEqual([file, target, true]);
  }
});
