// Reads the output of a real program, sh, line by line.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StreamChild, type StreamedEnd } from "../../../src/io/process/stream-child.ts";

function scratchDirectory(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "stream-child-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

interface Ran {
  readonly lines: string[];
  readonly child: StreamChild;
}

interface Given {
  readonly input?: string;
  readonly onLine?: (line: string) => void;
}

function start(script: string, { input = "", onLine }: Given = {}): Ran {
  const lines: string[] = [];
  const child = new StreamChild({
    command: ["/bin/sh", "-c", script],
    variables: { PATH: "/usr/bin:/bin" },
    directory: tmpdir(),
    input,
    onLine: (line) => {
      lines.push(line);
      onLine?.(line);
    },
  });
  return { lines, child };
}

async function run(script: string, input = ""): Promise<{ lines: string[]; end: StreamedEnd }> {
  const { lines, child } = start(script, { input });
  return { end: await child.ended, lines };
}

test("delivers complete lines, an unterminated last line, the exit code and stderr", async () => {
  const { lines, end } = await run("printf 'one\\n\\ntwo\\nthree'; echo trouble >&2; exit 7");
  expect(lines).toEqual(["one", "two", "three"]);
  expect(end).toEqual({ exitCode: 7, signal: undefined, stderr: "trouble\n" });
});

test("writes the input to its stdin, then closes it", async () => {
  const task = `${"word ".repeat(100_000)}last`;
  const { lines } = await run("wc -c; cat", task);
  expect(lines).toEqual([String(task.length)]);
});

test("ignores a program that does not read its stdin", async () => {
  expect((await run("exec 0<&-; exit 3", "x".repeat(1_000_000))).end.exitCode).toBe(3);
});

test("joins a character that arrives in two pieces", async () => {
  using directory = scratchDirectory();
  const pipe = join(directory.path, "pipe");
  expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
  // The script writes the second half only after the test has read the first half and written to the pipe.
  const { lines, child } = start(`printf 'a\\n\\303'; cat '${pipe}' >/dev/null; printf '\\251\\n'`, {
    onLine: (line) => void (line === "a" && writeFileSync(pipe, "go")),
  });
  await child.ended;
  expect(lines).toEqual(["a", "é"]);
});

test("keeps the end of stderr", async () => {
  const { end } = await run("head -c 200000 /dev/zero | tr '\\0' x >&2; echo last >&2");
  expect(end.stderr.length).toBe(64 * 1024);
  expect(end.stderr).toEndWith("xlast\n");
});

test("starts it in its own process group, away from terminal signals", async () => {
  const { lines, child } = start("ps -o pgid= -p $$");
  const { identity } = child;
  await child.ended;
  expect(lines.map((line) => line.trim())).toEqual([String(identity?.pid)]);
});

test("does not wait for a leftover process that keeps the streams open", async () => {
  const { lines, child } = start("sleep 600 & echo $!; exit 4");
  expect((await child.ended).exitCode).toBe(4);
  process.kill(Number(lines[0]), "SIGKILL");
});

test("kills a program that ignores the request to end, with its children", async () => {
  using directory = scratchDirectory();
  const pipe = join(directory.path, "pipe");
  expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
  // It ends when no process holds the pipe open.
  const held = Bun.spawn(["cat", pipe], { stdout: "ignore" });
  const begun = Promise.withResolvers<string>();
  const script = `trap "" TERM; sleep 600 >'${pipe}' & echo $!; while :; do wait; done`;
  const { child } = start(script, { onLine: begun.resolve });
  await begun.promise;
  await child.end(50);
  expect((await child.ended).signal).toBe("SIGKILL");
  expect(await held.exited).toBe(0);
});

test("lets a program end by itself when asked", async () => {
  const begun = Promise.withResolvers<string>();
  const { child } = start(`trap "exit 5" TERM; echo ready; while :; do sleep 0.01; done`, { onLine: begun.resolve });
  await begun.promise;
  await child.end(30_000);
  expect(await child.ended).toMatchObject({ exitCode: 5, signal: undefined });
});
