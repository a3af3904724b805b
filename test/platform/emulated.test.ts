// Processors that the test machines do not have, under qemu's user emulation. An emulated program cannot start a copy of itself, so
// the test starts the host; `attach` does not find the host, most likely because the emulator shows a false start time of it,
// and the test connects to it directly. Needs `qemu-user` and, for arm64, `libc6-arm64-cross` or QEMU_LD_PREFIX.
import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { existsSync, linkSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executable } from "../support/executable.ts";
import { onlyRun } from "../support/runs/runs.ts";
import { sandboxWithClaude } from "../support/runs/scripted-claude.ts";
import { installedSandbox } from "../support/sandbox/installed-sandbox.ts";
import type { Sandbox } from "../support/sandbox/sandbox.ts";
import { TestClient } from "../support/terminal/host-client.ts";
import { startHost } from "../support/terminal/host-world.ts";
import { SnapshotFiles } from "../support/worlds/snapshot-files.ts";

const libraries = process.env["QEMU_LD_PREFIX"] ?? "/usr/aarch64-linux-gnu";
const released = join(import.meta.dir, "../../dist/release/ai-runtime-linux-arm64");

function whyNotArm64(): string | undefined {
  if (process.platform !== "linux" || process.arch !== "x64") return "this is not Linux on x64";
  if (Bun.which("qemu-aarch64") === null) return "qemu-aarch64 is not installed";
  if (!existsSync(join(libraries, "lib/ld-linux-aarch64.so.1"))) return `${libraries} has no arm64 libraries`;
  return existsSync(released) ? undefined : "the release targets are not built: bun run build -- --all";
}

function whyNotOldX64(): string | undefined {
  if (process.platform !== "linux" || process.arch !== "x64") return "this is not Linux on x64";
  return Bun.which("qemu-x86_64") === null ? "qemu-x86_64 is not installed" : undefined;
}

const missing = { arm64: whyNotArm64(), oldX64: whyNotOldX64() };
for (const reason of new Set(Object.values(missing))) if (reason) console.error(`skipped: ${reason}`);

type Command = readonly [string, ...string[]];

/** The command that starts the arm64 executable, under the name that it must have. */
function arm64(sandbox: Sandbox): Command {
  const directory = join(sandbox.root, "arm64");
  const path = join(directory, "ai-runtime");
  mkdirSync(directory, { recursive: true });
  if (!existsSync(path)) {
    try {
      linkSync(released, path);
    } catch {
      copyFileSync(released, path);
    }
  }
  return [Bun.which("qemu-aarch64") ?? "", "-L", libraries, path];
}

describe.skipIf(missing.arm64 !== undefined)("Linux arm64 under qemu", () => {
  test("the executable starts under each of its names", async () => {
    await using sandbox = await installedSandbox("none");
    for (const name of ["ai-runtime", "cclaude", "session-snapshot"]) {
      const words = name === "ai-runtime" ? ["--version"] : [name, "--version"];
      const { exitCode, stdout } = await sandbox.run([...arm64(sandbox), ...words]);
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringMatching(new RegExp(`^${name} \\d`)) });
    }
  });

  test("the hook takes a snapshot, and restore brings back a deleted transcript byte for byte", async () => {
    await using sandbox = await installedSandbox("none");
    const sessionId = randomUUID();
    const path = join(sandbox.configDir, "projects/p", `${sessionId}.jsonl`);
    const content = transcriptOf(sessionId, sandbox.projectDir);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, content);
    const payload = { session_id: sessionId, transcript_path: path, hook_event_name: "Stop", cwd: sandbox.projectDir };
    const hook = await sandbox.run([...arm64(sandbox), "session-snapshot", "hook"], { stdin: JSON.stringify(payload) });
    expect(hook).toEqual({ exitCode: 0, signal: null, stdout: "", stderr: "" });
    expect(new SnapshotFiles(sandbox).mirror(sessionId).toString()).toBe(content);
    rmSync(path);

    const restored = await sandbox.run([...arm64(sandbox), "session-snapshot", "restore", sessionId]);

    expect(restored).toMatchObject({ exitCode: 0, stdout: "" });
    expect(readFileSync(path, "utf8")).toBe(content);
  });

  test("a run resumes a claude that crashed and ends with its answer", async () => {
    const answer = JSON.stringify({ type: "text", text: "All done." });
    await using sandbox = await sandboxWithClaude(
      `[ "$1" = --version ] && { echo "2.1.326 (Claude Code)"; exit; }
      until [ "$1" = --session-id ] || [ "$1" = --resume ]; do shift; done
      mkdir -p ~/.claude/projects/p
      now=$(date -u +%Y-%m-%dT%H:%M:%S.999Z)
      log=~/.claude/projects/p/$2.jsonl
      [ "$1" = --session-id ] && {
        echo '{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"Do it"},"timestamp":"'$now'"}' > $log
        echo '{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"model":"claude","content":[{"type":"text","text":"I begin."}]},"timestamp":"'$now'"}' | tee -a $log
        kill -9 $$; }
      echo '{"type":"assistant","uuid":"a2","parentUuid":"a1","message":{"model":"claude","content":[${answer}]},"timestamp":"'$now'"}' | tee -a $log
      echo '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"All done."}'`,
    );
    const env = { AI_RUNTIME_RETRY_SECONDS: "0.01", AI_RUNTIME_MAX_ATTEMPTS: "2" };

    const run = await sandbox.run([...arm64(sandbox), "run", "Do it"], { env });

    expect(run).toMatchObject({ exitCode: 0, stdout: "All done.\n" });
    expect(run.stderr).toContain("! claude ended unexpectedly (SIGKILL); resuming the task");
    expect(onlyRun(sandbox).status).toMatchObject({ phase: "done", attempts: 2 });
  });

  test("a host shows its program to a client, passes keys on and reports the end", async () => {
    await using sandbox = await installedSandbox("none");
    const script = `echo ready; read line; echo "<$line>"; read line; exit 6`;
    const socket = await startHost(sandbox, ["/bin/sh", "-c", script], "test", {}, arm64(sandbox));
    using client = await TestClient.attach(socket);
    await client.until(() => client.text.includes("ready"), "the program's output");
    client.type("one\r");
    await client.until(() => client.text.includes("<one>"), "the program's answer");
    client.type("\r");
    await client.until(() => client.end !== undefined, "the end");
    expect(client.end).toMatchObject({ exitCode: 6 });
  });
});

describe.skipIf(missing.oldX64 !== undefined)("Linux x64 without AVX under qemu", () => {
  test("the executable passes its self-test on a processor of 2008", async () => {
    await using sandbox = await installedSandbox("none");
    const emulator = [Bun.which("qemu-x86_64") ?? "", "-cpu", "Nehalem"] as const;
    const { exitCode, stdout } = await sandbox.run([...emulator, executable, "session-snapshot", "test"]);
    expect({ exitCode, failed: stdout.includes("✘"), passed: stdout.split("✔").length > 5 }).toEqual({
      exitCode: 0,
      failed: false,
      passed: true,
    });
  });
});

function transcriptOf(sessionId: string, cwd: string): string {
  const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  const record = (_: unknown, n: number) => ({
    type: n % 2 === 0 ? "user" : "assistant",
    uuid: uuid(n),
    parentUuid: n === 0 ? null : uuid(n - 1),
    sessionId,
    cwd,
    timestamp: new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString(),
    message: { role: n % 2 === 0 ? "user" : "assistant", content: [{ type: "text", text: `message ${n}` }] },
  });
  return Array.from({ length: 40 }, record)
    .map((each) => `${JSON.stringify(each)}\n`)
    .join("");
}
