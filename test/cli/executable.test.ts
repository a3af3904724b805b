import { afterAll, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sourceVersion } from "../../scripts/source-version.ts";
import { executable } from "../support/executable.ts";

const scratch = mkdtempSync(join(tmpdir(), "executable-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const names = ["ai-runtime", "cclaude", "session-snapshot"] as const;
const version = sourceVersion(join(import.meta.dir, "../..")).text;

function run(command: string[], options: { cwd?: string; env?: Record<string, string> } = {}) {
  const env = { PATH: "/usr/bin:/bin", HOME: scratch, ...options.env };
  const child = Bun.spawnSync(command, { env, stdin: "ignore", ...(options.cwd ? { cwd: options.cwd } : {}) });
  return { exitCode: child.exitCode, stdout: child.stdout.toString(), stderr: child.stderr.toString() };
}

describe("one executable, three names", () => {
  const ways = {
    "hard link": linkSync,
    copy: copyFileSync,
    "symbolic link": symlinkSync,
  };
  for (const [way, make] of Object.entries(ways)) {
    for (const name of names) {
      for (const suffix of ["", ".exe"]) {
        test(`${way} ${name}${suffix}`, () => {
          const directory = mkdtempSync(join(scratch, "way-"));
          const path = join(directory, name + suffix);
          make(executable, path);
          expect(run([path, "--version"])).toEqual({ exitCode: 0, stdout: `${name} ${version}\n`, stderr: "" });
        });
      }
    }
  }

  test.each(["cclaude", "session-snapshot"])("the first word %s", (name) => {
    expect(run([executable, name, "--version"]).stdout).toBe(`${name} ${version}\n`);
  });

  test.each(["ai-runtime", "session-snapshot"])("%s version prints the same as --version", (name) => {
    expect(run([executable, name, "version"])).toEqual(run([executable, name, "--version"]));
    expect(run([executable, name, "version"]).stdout).toBe(`${name} ${version}\n`);
  });

  test("found on PATH", () => {
    const directory = mkdtempSync(join(scratch, "path-"));
    linkSync(executable, join(directory, "session-snapshot"));
    const { stdout } = run(["sh", "-c", "session-snapshot --version"], { env: { PATH: `${directory}:/usr/bin:/bin` } });
    expect(stdout).toBe(`session-snapshot ${version}\n`);
  });
});

describe("help", () => {
  const commands = [
    ...names.map((name) => [name, "--help"]),
    ...["hook", "list", "restore", "undo", "verify", "repair"].map((verb) => ["session-snapshot", verb, "--help"]),
  ];
  test.each(commands)("%s %s %s ends with examples and exit codes", (...words) => {
    const { exitCode, stdout, stderr } = run([executable, ...words.filter(Boolean)]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(/\nUsage: \S+.*\n/);
    expect(stdout).toMatch(/\nExamples:\n {2}\S+.*\n {6}\S.*\n[\s\S]*\nExit codes:\n( +\d+ {2}.+\n)+$/);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
  });
});

describe("a usage error gives one sentence and a hint on stderr, and exit code 2", () => {
  test.each([
    [["ai-runtime", "nonsense"], 'ai-runtime: unknown command "nonsense"\nSee ai-runtime --help.\n'],
    [["ai-runtime", "rnu"], 'ai-runtime: unknown command "rnu"; did you mean run?\nSee ai-runtime --help.\n'],
    [
      ["ai-runtime", "session-snapshto"],
      'ai-runtime: unknown command "session-snapshto"; did you mean session-snapshot?\nSee ai-runtime --help.\n',
    ],
    [["ai-runtime", "--nonsense"], "ai-runtime: unknown option --nonsense\nSee ai-runtime --help.\n"],
    [
      ["session-snapshot", "lst"],
      'session-snapshot: unknown command "lst"; did you mean list?\nSee session-snapshot --help.\n',
    ],
    [
      ["session-snapshot", "constructor"],
      'session-snapshot: unknown command "constructor"\nSee session-snapshot --help.\n',
    ],
    [
      ["session-snapshot", "list", "--jsno"],
      "session-snapshot: unknown option --jsno; did you mean --json?\nSee session-snapshot list --help.\n",
    ],
    [
      ["session-snapshot", "restore", "a", "b"],
      'session-snapshot: unexpected argument "b"\nSee session-snapshot restore --help.\n',
    ],
    [
      ["session-snapshot", "restore", "--to"],
      "session-snapshot: option --to needs a value\nSee session-snapshot restore --help.\n",
    ],
  ])("%p", (words, stderr) => {
    expect(run([executable, ...words])).toEqual({ exitCode: 2, stdout: "", stderr });
  });

  test("--json prints it as JSON", () => {
    const { exitCode, stdout, stderr } = run([executable, "session-snapshot", "list", "--json", "no-such-session"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: "" });
    expect(JSON.parse(stderr)).toEqual({
      error: {
        kind: "not-found",
        message: 'no snapshot of a session "no-such-session"',
        hint: "Run session-snapshot install; then Claude's hooks take snapshots.",
        exitCode: 4,
      },
    });
  });

  test("shows the help on stderr without a command", () => {
    const { exitCode, stdout, stderr } = run([executable, "session-snapshot"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain("Usage: session-snapshot <command>");
  });
});

test("ignores bunfig.toml and .env of the current directory", () => {
  const hostile = join(scratch, "hostile");
  mkdirSync(hostile);
  writeFileSync(join(hostile, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
  writeFileSync(join(hostile, "preload.ts"), 'require("node:fs").writeFileSync("pwned", "");\n');
  writeFileSync(join(hostile, ".env"), "CLAUDE_CONFIG_DIR=/nowhere/of/the/repository\n");
  for (const name of names) {
    const words = name === "ai-runtime" ? [] : [name];
    expect(run([executable, ...words, "--version"], { cwd: hostile }).stdout).toBe(`${name} ${version}\n`);
  }
  const status = run([executable, "session-snapshot", "status", "--json"], { cwd: hostile });
  expect(JSON.parse(status.stdout).claude.configDirectory).toBe(join(scratch, ".claude"));
  expect(existsSync(join(hostile, "pwned"))).toBe(false);
});

test.skipIf(process.platform === "win32")("status waits only a moment for a claude that hangs", () => {
  const directory = mkdtempSync(join(scratch, "deaf-"));
  writeFileSync(join(directory, "claude"), "#!/bin/sh\nsleep 1000\n", { mode: 0o755 });
  const { exitCode, stdout } = run([executable, "session-snapshot", "status"], {
    env: { PATH: `${directory}:/usr/bin:/bin` },
  });
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`claude   ${join(directory, "claude")}\n`);
});

test("hook runs the hook, whatever arguments follow", () => {
  for (const words of [["extra-word"], ["--json"], ["--no-such-option"], ["x", "--help"]]) {
    expect(run([executable, "session-snapshot", "hook", ...words])).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect(run([executable, "hook", ...words])).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  }
});
