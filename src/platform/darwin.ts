import { dlopen, ptr } from "bun:ffi";
import { constants, openSync } from "node:fs";
import { parseDarwinPs } from "./parse-darwin-ps.ts";
import type { Platform, ProcessIdentity } from "./platform.ts";
import { knownUser, posix } from "./posix.ts";
import { lockByFile } from "./posix-lock.ts";
import { terminalControl } from "./posix-terminal.ts";

/** BSD's open can take the flock itself, so no FFI is needed. Missing from node's constants. */
const O_EXLOCK = 0x20;
const O_NONBLOCK = 0x4;
/** A child that inherited the descriptor would keep the lock after our death. */
const O_CLOEXEC = 0x1000000;

function openLocked(path: string): number | undefined {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | O_EXLOCK | O_NONBLOCK | O_CLOEXEC;
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return undefined;
    throw error;
  }
}

function run(command: string[]): { exitCode: number; text: string } {
  // UTC and C, so that daylight saving time and language do not change the compared text.
  const { exitCode, stdout } = Bun.spawnSync(command, {
    env: { LC_ALL: "C", TZ: "UTC" },
    stdin: "ignore",
    stderr: "ignore",
  });
  return { exitCode, text: stdout.toString().trim() };
}

let knownBootId: string | undefined;
const bootId = (): string => (knownBootId ??= readBootId());

// kern.boottime changes when the clock is set; the UUID of the boot session does not.
function readBootId(): string {
  const { exitCode, text } = run(["/usr/sbin/sysctl", "-n", "kern.bootsessionuuid"]);
  if (exitCode !== 0 || text === "") throw new Error("sysctl kern.bootsessionuuid returned nothing");
  return text;
}

function identifyProcess(pid: number): ProcessIdentity | undefined {
  const boot = bootId();
  const { exitCode, text } = run(["/bin/ps", "-o", "stat=", "-o", "lstart=", "-p", String(pid)]);
  if (exitCode !== 0 && text === "") return undefined;
  const startTime = parseDarwinPs(text);
  return startTime === undefined ? undefined : { pid, startTime, bootId: boot };
}

let lastAsked = 0;

function isStopped(pid: number): boolean {
  // The end of our own ps raises SIGCHLD as well: without a pause this check would trigger itself forever.
  if (performance.now() - lastAsked < 500) return false;
  const { text } = run(["/bin/ps", "-o", "stat=", "-p", String(pid)]);
  lastAsked = performance.now();
  return text.startsWith("T");
}

let library: ReturnType<typeof loadLibrary> | undefined;
const loadLibrary = () =>
  dlopen("libSystem.B.dylib", { getpeereid: { args: ["i32", "ptr", "ptr"], returns: "i32" } }).symbols;

function peerUser(descriptor: number): number {
  library ??= loadLibrary();
  const ids = new Uint32Array(2);
  const failed = library.getpeereid(descriptor, ptr(ids, 0), ptr(ids, 4)) !== 0;
  return knownUser(failed ? undefined : ids[0]);
}

export const darwin: Platform = {
  ...posix,
  name: "darwin",
  lockFile: (path) => lockByFile(path, openLocked),
  bootId,
  identifyProcess,
  isStopped,
  // Only a call into the system library could tell.
  ignores: () => false,
  // 104 including the final zero.
  longestSocketPath: 103,
  peerUser,
  notifyManager: () => {},
  hostsByDefault: false,
  terminal: terminalControl("libSystem.B.dylib", 24, () => []),
};
