import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DurableError } from "../../src/io/durable.ts";
import { type Lock, lockWithin, tryLock, withLock } from "../../src/store/lock.ts";

setDefaultTimeout(60_000);

const program = join(import.meta.dir, "../faults/programs/lock-holder.ts");

let directory: string;
let path: string;
const started: Bun.Subprocess[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "air-"));
  path = join(directory, "session.lock");
});

afterEach(async () => {
  for (const child of started.splice(0)) {
    child.kill("SIGKILL");
    await child.exited;
  }
  rmSync(directory, { recursive: true, force: true });
});

test("one holder at a time, within one process too", () => {
  const lock = take();
  expect(tryLock(path)).toBe("busy");
  lock.release();
  take().release();
});

test("two processes never both hold it", async () => {
  const holder = await startHolder("hold");
  expect(holder.word).toBe("held");
  expect(tryLock(path)).toBe("busy");
  expect((await startHolder("hold")).word).toBe("busy");
  holder.child.stdin.end();
  await holder.child.exited;
  take().release();
});

test("a holder that is killed has released it", async () => {
  const { child } = await startHolder("hold");
  expect(tryLock(path)).toBe("busy");
  child.kill("SIGKILL");
  await child.exited;
  take().release();
});

test.skipIf(process.platform === "win32")(
  "a child that outlives a killed holder has not inherited the lock",
  async () => {
    const { child, rest } = await startHolder("hold-and-start-child");
    const orphan = Number(rest);
    try {
      child.kill("SIGKILL");
      await child.exited;
      expect(() => process.kill(orphan, 0)).not.toThrow();
      // Not at once: Linux lets the parent go on a moment before the child's exec closes what it is to close.
      const lock = await lockWithin(path, 30_000);
      if (lock === "busy") throw new Error("the child holds it");
      lock.release();
    } finally {
      process.kill(orphan, "SIGKILL");
    }
  },
);

test("processes that count under the lock lose no count, although half of the time the lock file is discarded", async () => {
  const counter = join(directory, "counter");
  writeFileSync(counter, "0");
  const children = Array.from({ length: 4 }, () => start("count", counter));
  for (const child of children) expect(await child.exited).toBe(0);
  expect(readFileSync(counter, "utf8")).toBe("160");
});

test.skipIf(process.platform === "win32")(
  "letting go of a discarded lock again does not let go of the next one",
  () => {
    const first = take();
    first.discard();
    expect(existsSync(path)).toBeFalse();
    const second = take();
    expect(tryLock(path)).toBe("busy");
    // Released twice, a lock must not close what has its number now.
    first.release();
    expect(tryLock(path)).toBe("busy");
    second.release();
  },
);

test("waiting ends when the holder lets go", async () => {
  const { child } = await startHolder("hold");
  const waiting = lockWithin(path, 30_000);
  child.stdin.end();
  const lock = await waiting;
  if (lock === "busy") throw new Error("waited in vain");
  lock.release();
});

test("waiting ends when the time is over", async () => {
  const lock = take();
  expect(await lockWithin(path, 20)).toBe("busy");
  expect(await withLock(path, () => "never")).toEqual({ state: "busy" });
  lock.release();
});

test("the lock is held during the body, and free after it, also when it throws", async () => {
  expect(await withLock(path, async () => tryLock(path))).toEqual({ state: "done", value: "busy" });
  const failing = withLock(path, () => {
    throw new Error("from the body");
  });
  expect(failing).rejects.toThrow("from the body");
  await failing.catch(() => {});
  take().release();
});

test.skipIf(process.platform === "win32")("the lock file is private, and a symbolic link is not followed", () => {
  take().release();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  symlinkSync(path, join(directory, "link.lock"));
  expect(() => tryLock(join(directory, "link.lock"))).toThrow(DurableError);
});

test("a missing directory is said to be missing", () => {
  const missing = join(directory, "missing/session.lock");
  expect(() => tryLock(missing)).toThrow(`cannot lock ${missing}`);
});

function take(): Lock {
  const lock = tryLock(path);
  if (lock === "busy") throw new Error("somebody else holds it");
  return lock;
}

function start(how: string, ...more: string[]): Bun.Subprocess<"pipe", "pipe", "inherit"> {
  const child = Bun.spawn(["bun", program, how, path, ...more], { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  started.push(child);
  return child;
}

async function startHolder(how: string) {
  const child = start(how);
  const { value } = await child.stdout.getReader().read();
  const [word, rest] = new TextDecoder().decode(value).trim().split(" ");
  return { child, word, rest };
}
