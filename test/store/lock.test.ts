import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DurableError } from "../../src/io/durable/durable.ts";
import { type Lock, lockOrFail, lockWithin, tryLock, withLock, withLockOrFail } from "../../src/store/lock.ts";

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

test("has one holder at a time, within one process too", () => {
  const lock = take();
  expect(tryLock(path)).toBeUndefined();
  lock.release();
  take().release();
});

test("two processes never hold the lock together", async () => {
  const holder = await startHolder("hold");
  expect(holder.word).toBe("held");
  expect(tryLock(path)).toBeUndefined();
  expect((await startHolder("hold")).word).toBe("busy");
  holder.child.stdin.end();
  await holder.child.exited;
  take().release();
});

test("the kernel releases the lock of a killed holder", async () => {
  const { child } = await startHolder("hold");
  expect(tryLock(path)).toBeUndefined();
  child.kill("SIGKILL");
  await child.exited;
  take().release();
});

test.skipIf(process.platform === "win32")(
  "a child that outlives a killed holder does not inherit the lock",
  async () => {
    const { child, rest } = await startHolder("hold-and-start-child");
    const orphan = Number(rest);
    try {
      child.kill("SIGKILL");
      await child.exited;
      expect(() => process.kill(orphan, 0)).not.toThrow();
      // Not at once: on Linux the parent continues a moment before the child's exec closes its inherited files.
      const lock = await lockWithin(path, 30_000);
      if (!lock) throw new Error("the child holds it");
      lock.release();
    } finally {
      process.kill(orphan, "SIGKILL");
    }
  },
);

test("processes that count under the lock lose no count, although the lock file is often discarded", async () => {
  const counter = join(directory, "counter");
  writeFileSync(counter, "0");
  const children = Array.from({ length: 4 }, () => start("count", counter));
  for (const child of children) expect(await child.exited).toBe(0);
  expect(readFileSync(counter, "utf8")).toBe("160");
});

test.skipIf(process.platform === "win32")("releasing a discarded lock again does not release the next one", () => {
  const first = take();
  first.discard();
  expect(existsSync(path)).toBeFalse();
  const second = take();
  expect(tryLock(path)).toBeUndefined();
  // A second release must not close another file that got the same descriptor.
  first.release();
  expect(tryLock(path)).toBeUndefined();
  second.release();
});

test("waiting ends when the holder releases the lock", async () => {
  const { child } = await startHolder("hold");
  const waiting = lockWithin(path, 30_000);
  child.stdin.end();
  const lock = await waiting;
  if (!lock) throw new Error("waited in vain");
  lock.release();
});

test("waiting ends when the time is over", async () => {
  const lock = take();
  expect(await lockWithin(path, 20)).toBeUndefined();
  expect(await withLock(path, () => "never")).toEqual({ state: "busy" });
  lock.release();
});

test("holds the lock during the body and releases it afterwards, even when the body throws", async () => {
  expect(await withLock(path, async () => tryLock(path) === undefined)).toEqual({ state: "done", value: true });
  const failing = withLock(path, () => {
    throw new Error("from the body");
  });
  expect(failing).rejects.toThrow("from the body");
  await failing.catch(() => {});
  take().release();
});

test("lockOrFail and withLockOrFail report which work holds the lock", async () => {
  const lock = take();
  const locked = { kind: "locked", message: "another install is running" };
  expect(() => lockOrFail(tryLock(path), locked.message, "Wait.")).toThrow(
    expect.objectContaining({ ...locked, hint: "Wait." }),
  );
  const refused = withLockOrFail(path, () => "never", { waitMilliseconds: 1, message: locked.message });
  expect(refused).rejects.toMatchObject({ ...locked, hint: "Try again in a moment." });
  await refused.catch(() => {});
  lock.release();
  expect(await withLockOrFail(path, () => "done", { waitMilliseconds: 0, message: locked.message })).toBe("done");
  lockOrFail(tryLock(path), locked.message).release();
});

test.skipIf(process.platform === "win32")("creates a private lock file, and does not follow a symbolic link", () => {
  take().release();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  symlinkSync(path, join(directory, "link.lock"));
  expect(() => tryLock(join(directory, "link.lock"))).toThrow(DurableError);
});

test("reports a missing directory", () => {
  const missing = join(directory, "missing/session.lock");
  expect(() => tryLock(missing)).toThrow(`cannot lock ${missing}`);
});

function take(): Lock {
  const lock = tryLock(path);
  if (!lock) throw new Error("the lock is already held");
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
