// cclaude as seen by a shell: streams, exit codes, signals and the job are those of the claude under it.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executable } from "../support/executable.ts";

setDefaultTimeout(60_000);

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "in-place-")));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let serial = 0;

/** A claude that is this shell script. */
function fake(script: string, directory = join(scratch, `bin-${serial++}`)): string {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, "claude");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const environment = (more: Record<string, string>) => ({
  HOME: scratch,
  PATH: "/usr/bin:/bin",
  TMPDIR: scratch,
  ...more,
});

function start(script: string, args: string[] = ["-p", "hi"]) {
  return Bun.spawn([executable, "cclaude", ...args], {
    env: environment({ CCLAUDE_CLAUDE_BIN: fake(script) }),
    cwd: scratch,
    stdio: ["pipe", "pipe", "pipe"],
  });
}

describe("streams and exit codes pass through", () => {
  test.each([0, 1, 2, 7, 127, 255])("exit code %p", async (code) => {
    const child = start(`exit ${code}`);
    expect(await child.exited).toBe(code);
  });

  test("every byte, in both directions", async () => {
    const bytes = new Uint8Array(300_000).map((_, index) => index % 256);
    const child = start("cat; cat >&2 <&- ; printf 'to stderr' >&2");
    child.stdin.write(bytes);
    void child.stdin.end();
    const [out, err] = await Promise.all([child.stdout.bytes(), child.stderr.text()]);
    expect(Buffer.compare(out, bytes)).toBe(0);
    expect(err).toContain("to stderr");
    expect(await child.exited).toBe(0);
  });

  test("a reader that leaves early ends it as it would end claude", async () => {
    const line = `${executable} cclaude -p hi | head -n 1`;
    const env = environment({ CCLAUDE_CLAUDE_BIN: fake("yes") });
    const { stdout, exitCode } = Bun.spawnSync(["sh", "-c", line], { env, cwd: scratch });
    expect({ out: stdout.toString(), exitCode }).toEqual({ out: "y\n", exitCode: 0 });
  });
});

describe("signals", () => {
  test.each(["SIGKILL", "SIGTERM", "SIGABRT"] as const)(
    "a claude that dies of %s takes cclaude along",
    async (signal) => {
      const child = start(`kill -${signal.slice(3)} $$`);
      await child.exited;
      expect(child.signalCode).toBe(signal);
    },
  );

  test.each(["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGINT"] as const)(
    "%s to cclaude reaches claude, which may answer it",
    async (signal) => {
      const name = signal.slice(3);
      // In a session of its own: without a terminal nobody but the sender of a signal can have sent it.
      const script = `trap 'echo got ${name}; exit 9' ${name}; echo ready; while kill -0 $PPID; do sleep 0.05; done`;
      const child = Bun.spawn(["setsid", "--wait", executable, "cclaude", "-p", "hi"], {
        env: environment({ CCLAUDE_CLAUDE_BIN: fake(`echo $PPID > ${scratch}/parent; ${script}`) }),
        cwd: scratch,
        stdio: ["pipe", "pipe", "inherit"],
      });
      const reader = child.stdout.getReader();
      const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
      expect(await read()).toBe("ready\n");
      process.kill(Number(readFileSync(join(scratch, "parent"), "utf8")), signal);
      expect(await read()).toBe(`got ${name}\n`);
      expect(await child.exited).toBe(9);
    },
  );
});

describe("which claude", () => {
  const run = (env: Record<string, string>) => {
    const child = Bun.spawnSync([executable, "cclaude", "-p", "hi"], { env: environment(env), cwd: scratch });
    return { exitCode: child.exitCode, stdout: child.stdout.toString(), stderr: child.stderr.toString() };
  };
  const directoryOf = (path: string) => path.slice(0, -"/claude".length);

  test("none: exit code 127, and how to install it", () => {
    const { exitCode, stdout, stderr } = run({ PATH: scratch });
    expect({ exitCode, stdout }).toEqual({ exitCode: 127, stdout: "" });
    expect(stderr).toMatch(/^cclaude: claude is not on PATH\nInstall it with: npm install -g /);
  });

  test("one that was named but is not there", () => {
    const { exitCode, stderr } = run({ CCLAUDE_CLAUDE_BIN: "/no/such/claude" });
    expect(exitCode).toBe(127);
    expect(stderr).toContain('CCLAUDE_CLAUDE_BIN is "/no/such/claude"');
  });

  test("a script of that name that starts us is passed over", () => {
    const shim = fake(`exec ${executable} cclaude "$@"`);
    const real = fake("echo the real one");
    const PATH = `${directoryOf(shim)}:${directoryOf(real)}:/usr/bin:/bin`;
    expect(run({ PATH })).toEqual({ exitCode: 0, stdout: "the real one\n", stderr: "" });
  });

  test("one that comes back to us by a detour ends soon, with a reason", () => {
    const detour = join(scratch, "detour");
    writeFileSync(detour, `#!/bin/sh\nexec "${executable}" cclaude "$@"\n`);
    chmodSync(detour, 0o755);
    const { exitCode, stderr } = run({ CCLAUDE_CLAUDE_BIN: fake(`exec ${detour} "$@"`) });
    expect(exitCode).toBe(127);
    expect(stderr).toMatch(
      /starts cclaude again instead of Claude Code\nSet CCLAUDE_CLAUDE_BIN to the real claude\.\n/,
    );
  });
});

describe("trouble of ours keeps no claude from running", () => {
  test.each([
    ["no temporary directory", { TMPDIR: "/no/such/directory" }],
    ["a configuration directory that is a file", { XDG_CONFIG_HOME: executable }],
    ["settings that are a directory", { CLAUDE_CONFIG_DIR: join(scratch, "odd") }],
  ])("%s", (_, more) => {
    mkdirSync(join(scratch, "odd/settings.json"), { recursive: true });
    const env = environment({ CCLAUDE_CLAUDE_BIN: fake("echo ran; exit 5"), ...more });
    const { exitCode, stdout, stderr } = Bun.spawnSync([executable, "cclaude", "-p", "hi"], { env, cwd: scratch });
    expect([exitCode, stdout.toString(), stderr.toString()]).toEqual([5, "ran\n", ""]);
  });
});

test("nothing is left in the temporary directory", () => {
  expect(readdirSync(scratch).filter((name) => name.startsWith("ai-runtime-"))).toEqual([]);
});
