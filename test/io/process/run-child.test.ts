// cclaude looks like claude to a shell: the same streams, exit codes, signals and job control.
import { afterAll, describe, expect, test } from "bun:test";
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
import { executable } from "../../support/executable.ts";

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "in-place-")));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let serial = 0;

/** Places this shell script as claude. */
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

  test("passes every byte in both directions", async () => {
    const bytes = new Uint8Array(300_000).map((_, index) => index % 256);
    const child = start("cat; cat >&2 <&- ; printf 'to stderr' >&2");
    child.stdin.write(bytes);
    void child.stdin.end();
    const [out, err] = await Promise.all([child.stdout.bytes(), child.stderr.text()]);
    expect(Buffer.compare(out, bytes)).toBe(0);
    expect(err).toContain("to stderr");
    expect(await child.exited).toBe(0);
  });

  test("ends like claude when the reader closes the pipe", async () => {
    const line = `${executable} cclaude -p hi | head -n 1`;
    const env = environment({ CCLAUDE_CLAUDE_BIN: fake("yes") });
    const { stdout, exitCode } = Bun.spawnSync(["sh", "-c", line], { env, cwd: scratch });
    expect({ out: stdout.toString(), exitCode }).toEqual({ out: "y\n", exitCode: 0 });
  });
});

describe("a claude that prints", () => {
  test("more than fits into memory is passed on at the speed of the reader", async () => {
    const child = start("head -c 200000000 /dev/zero");
    let size = 0;
    let peakKilobytes = 0;
    for await (const bytes of child.stdout) {
      size += bytes.length;
      // The maximum that the system reports at the end includes that of this test.
      if (size > 100_000_000 && peakKilobytes === 0) {
        peakKilobytes = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]);
      }
    }
    expect(await child.exited).toBe(0);
    expect(size).toBe(200_000_000);
    expect(peakKilobytes).toBeWithin(1, 150_000);
  });

  test("and leaves a process behind that holds its output open does not keep cclaude", async () => {
    const child = start(`sleep 60 & echo $! > ${scratch}/left-behind; echo done; exit 3`);
    expect(await child.stdout.text()).toBe("done\n");
    expect(await child.exited).toBe(3);
    process.kill(Number(readFileSync(join(scratch, "left-behind"), "utf8")));
  });

  test("to a full disk fails with one line", async () => {
    const env = environment({ CCLAUDE_CLAUDE_BIN: fake("echo hi") });
    const child = Bun.spawnSync(["sh", "-c", `${executable} cclaude -p hi > /dev/full`], { env, cwd: scratch });
    expect(child.exitCode).toBe(1);
    expect(child.stderr.toString()).toMatch(/^cclaude: cannot write to stdout: ENOSPC.*\n$/);
  });
});

describe("signals", () => {
  test.each(["SIGKILL", "SIGTERM", "SIGABRT"] as const)("cclaude dies of %s when claude does", async (signal) => {
    const child = start(`kill -${signal.slice(3)} $$`);
    await child.exited;
    expect(child.signalCode).toBe(signal);
  });

  test.each(["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGINT"] as const)(
    "passes %s on to claude, which may handle it",
    async (signal) => {
      const name = signal.slice(3);
      // In its own session, without a terminal: the signal can only come from this test.
      const script = `trap 'echo got ${name}; exit 9' ${name}; echo ready >&2; while kill -0 $PPID; do sleep 0.05; done`;
      const child = Bun.spawn(["setsid", "--wait", executable, "cclaude", "-p", "hi"], {
        env: environment({ CCLAUDE_CLAUDE_BIN: fake(`echo $PPID > ${scratch}/parent; ${script}`) }),
        cwd: scratch,
        stdio: ["pipe", "pipe", "pipe"],
      });
      const { value } = await child.stderr.getReader().read();
      expect(new TextDecoder().decode(value)).toBe("ready\n");
      process.kill(Number(readFileSync(join(scratch, "parent"), "utf8")), signal);
      expect(await child.stdout.text()).toBe(`got ${name}\n`);
      expect(await child.exited).toBe(9);
    },
  );
});

describe("finds claude", () => {
  const run = (env: Record<string, string>) => {
    const child = Bun.spawnSync([executable, "cclaude", "-p", "hi"], { env: environment(env), cwd: scratch });
    return { exitCode: child.exitCode, stdout: child.stdout.toString(), stderr: child.stderr.toString() };
  };
  const directoryOf = (path: string) => path.slice(0, -"/claude".length);

  test("exits with 127 and shows how to install claude when it is missing", () => {
    const { exitCode, stdout, stderr } = run({ PATH: scratch });
    expect({ exitCode, stdout }).toEqual({ exitCode: 127, stdout: "" });
    expect(stderr).toMatch(/^cclaude: claude is not on PATH\nInstall it with: npm install -g /);
  });

  test("reports a configured claude that does not exist", () => {
    const { exitCode, stderr } = run({ CCLAUDE_CLAUDE_BIN: "/no/such/claude" });
    expect(exitCode).toBe(127);
    expect(stderr).toContain('CCLAUDE_CLAUDE_BIN is "/no/such/claude"');
  });

  test("skips a script of that name that starts us", () => {
    const shim = fake(`exec ${executable} cclaude "$@"`);
    const real = fake("echo the real one");
    const PATH = `${directoryOf(shim)}:${directoryOf(real)}:/usr/bin:/bin`;
    expect(run({ PATH })).toEqual({ exitCode: 0, stdout: "the real one\n", stderr: "" });
  });

  test("stops a loop of launchers that lead back to us, with a reason", () => {
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

describe("our own problems do not keep claude from running", () => {
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

test("leaves nothing in the temporary directory", () => {
  expect(readdirSync(scratch).filter((name) => name.startsWith("ai-runtime-"))).toEqual([]);
});
