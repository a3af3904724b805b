import { describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { identifyProcess } from "../../../src/io/process/process.ts";
import { runToEnd } from "../../../src/io/process/run-to-end.ts";

const variables = { PATH: "/usr/bin:/bin" };
const source = join(import.meta.dir, "../../../src/io/process/run-to-end.ts");

test("returns the output and the exit code", async () => {
  const ended = await runToEnd(["sh", "-c", "cat; echo talk >&2; exit 3"], {
    variables,
    milliseconds: 60_000,
    stdin: "said\n",
  });
  expect(ended).toEqual({ exitCode: 3, stdout: "said\n", stderr: "talk\n" });
});

test("returns undefined for a program that cannot be started", async () => {
  expect(await runToEnd(["/no/such/program"], { variables, milliseconds: 1_000 })).toBeUndefined();
});

describe.skipIf(process.platform === "win32")("a program that does not end", () => {
  /** Runs in a separate process, which must end too: nothing may keep it alive. */
  async function runApart(script: string): Promise<{ answer: string; child: string }> {
    const directory = mkdtempSync(join(tmpdir(), "run-to-end-"));
    try {
      const program = join(directory, "program");
      writeFileSync(program, `#!/bin/sh\n${script}\n`);
      chmodSync(program, 0o755);
      const code = `const { runToEnd } = await import(${JSON.stringify(source)});
        const ended = await runToEnd([${JSON.stringify(program)}], { variables: process.env, milliseconds: 300 });
        console.log(JSON.stringify(ended ?? null));`;
      const apart = Bun.spawn([process.execPath, "-e", code], {
        env: { ...variables, DIRECTORY: directory },
        stdout: "pipe",
        stderr: "inherit",
      });
      const answer = await apart.stdout.text();
      expect(await apart.exited).toBe(0);
      return { answer: answer.trim(), child: readFileSync(join(directory, "child"), "utf8").trim() };
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }

  test("is killed with its children, which keep its streams open", async () => {
    const { answer, child } = await runApart('sleep 1000 & echo $! >"$DIRECTORY/child"; wait');
    expect(answer).toBe("null");
    // A killed process may exist for another moment.
    while (identifyProcess(Number(child)) !== undefined) await new Promise((resolve) => setImmediate(resolve));
  });

  test("does not block when an escaped child keeps the streams open", async () => {
    const { answer, child } = await runApart('setsid sleep 1000 & echo $! >"$DIRECTORY/child"; wait');
    process.kill(Number(child), "SIGKILL");
    expect(answer).toBe("null");
  });

  test("still returns the output of an ended program whose escaped child keeps the streams open", async () => {
    const { answer, child } = await runApart('setsid sleep 1000 & echo $! >"$DIRECTORY/child"; echo 2.1.0');
    try {
      expect(JSON.parse(answer)).toEqual({ exitCode: 0, stdout: "2.1.0\n", stderr: "" });
    } finally {
      process.kill(Number(child), "SIGKILL");
    }
  });
});
