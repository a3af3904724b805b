import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { identifyProcess } from "../../src/io/process.ts";
import { runToEnd } from "../../src/io/run-to-end.ts";

setDefaultTimeout(60_000);

const variables = { PATH: "/usr/bin:/bin" };
const source = join(import.meta.dir, "../../src/io/run-to-end.ts");

test("gives what was printed, and the exit code", async () => {
  const ended = await runToEnd(["sh", "-c", "cat; echo talk >&2; exit 3"], {
    variables,
    milliseconds: 60_000,
    stdin: "said\n",
  });
  expect(ended).toEqual({ exitCode: 3, stdout: "said\n", stderr: "talk\n" });
});

test("what cannot be started is nothing", async () => {
  expect(await runToEnd(["/no/such/program"], { variables, milliseconds: 1_000 })).toBeUndefined();
});

describe.skipIf(process.platform === "win32")("a program that does not end", () => {
  /** Run in a process of its own, which must end too: nothing may keep it alive. */
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
    // Killed, but it may take a moment to be gone.
    while (identifyProcess(Number(child)) !== undefined) await new Promise((resolve) => setImmediate(resolve));
  });

  test("is not waited for, though a child of its that left the group keeps the streams open", async () => {
    const { answer, child } = await runApart('setsid sleep 1000 & echo $! >"$DIRECTORY/child"; wait');
    process.kill(Number(child), "SIGKILL");
    expect(answer).toBe("null");
  });

  test("and one that ended is heard, though a child of its that left the group keeps the streams open", async () => {
    const { answer, child } = await runApart('setsid sleep 1000 & echo $! >"$DIRECTORY/child"; echo 2.1.0');
    try {
      expect(JSON.parse(answer)).toEqual({ exitCode: 0, stdout: "2.1.0\n", stderr: "" });
    } finally {
      process.kill(Number(child), "SIGKILL");
    }
  });
});
