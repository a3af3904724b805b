import { expect, test } from "bun:test";
import { identifyProcess, isSameProcess, type ProcessIdentity } from "../../../src/io/process/process.ts";

function identify(pid: number): ProcessIdentity {
  const identity = identifyProcess(pid);
  if (identity === undefined) throw new Error(`process ${pid} is not running`);
  return identity;
}

test("identifies a running process the same way each time", () => {
  const identity = identify(process.pid);
  expect(identity.pid).toBe(process.pid);
  expect(identify(process.pid)).toEqual(identity);
  expect(isSameProcess(identity)).toBeTrue();
});

test("distinguishes a reused pid, and the same pid after a reboot", () => {
  const identity = identify(process.pid);
  expect(isSameProcess({ ...identity, startTime: "1" })).toBeFalse();
  expect(isSameProcess({ ...identity, bootId: "another" })).toBeFalse();
});

test("an identity survives serialization", () => {
  const identity = identify(process.pid);
  expect(isSameProcess(JSON.parse(JSON.stringify(identity)))).toBeTrue();
});

test("finds no process after it has ended", async () => {
  const child = Bun.spawn([process.execPath, "-e", "await Bun.stdin.text()"], { stdin: "pipe" });
  const identity = identify(child.pid);
  expect(isSameProcess(identity)).toBeTrue();
  child.stdin.end();
  await child.exited;
  expect(identifyProcess(child.pid)).toBeUndefined();
  expect(isSameProcess(identity)).toBeFalse();
});

test.skipIf(process.platform === "win32")("treats a zombie as ended", async () => {
  // The shell starts a child and then executes a program that never reaps it; the echo shows that this has happened.
  const parent = Bun.spawn(["sh", "-c", "sleep 1000 & echo $!; exec cat"], { stdin: "pipe", stdout: "pipe" });
  const reader = parent.stdout.getReader();
  const readWord = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value).trim();
  try {
    const child = Number(await readWord());
    parent.stdin.write("ready\n");
    await parent.stdin.flush();
    expect(await readWord()).toBe("ready");
    process.kill(child, "SIGKILL");
    while (identifyProcess(child) !== undefined) await new Promise((resolve) => setImmediate(resolve));
    expect(() => process.kill(child, 0)).not.toThrow();
  } finally {
    parent.kill("SIGKILL");
    await parent.exited;
  }
});

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses the pid %p", (pid) => {
  expect(identifyProcess(pid)).toBeUndefined();
});
