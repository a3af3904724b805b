import { dlopen, ptr } from "bun:ffi";
import { constants, openSync } from "node:fs";
import { parseDarwinPs } from "./parse-darwin-ps.ts";
import { type Platform, posixSignals, type ProcessIdentity } from "./platform.ts";
import { killGroup } from "./posix-kill-group.ts";
import { lockByFile } from "./posix-lock.ts";
import { socketDirectories } from "./posix-socket-directories.ts";

/** BSD's open takes the flock itself, so no foreign function is needed. Absent from node's constants. */
const O_EXLOCK = 0x20;
const O_NONBLOCK = 0x4;
/** A child that inherited the descriptor would keep the lock after our death. */
const O_CLOEXEC = 0x1000000;

function openLocked(path: string): number | "busy" {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | O_EXLOCK | O_NONBLOCK | O_CLOEXEC;
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return "busy";
    throw error;
  }
}

function run(command: string[]): { exitCode: number; text: string } {
  // UTC and C, so that neither summer time nor a language changes what is compared.
  const { exitCode, stdout } = Bun.spawnSync(command, {
    env: { LC_ALL: "C", TZ: "UTC" },
    stdin: "ignore",
    stderr: "ignore",
  });
  return { exitCode, text: stdout.toString().trim() };
}

let bootId: string | undefined;

// kern.boottime moves when the clock is set; the session's UUID does not.
function readBootId(): string {
  const { exitCode, text } = run(["/usr/sbin/sysctl", "-n", "kern.bootsessionuuid"]);
  if (exitCode !== 0 || text === "") throw new Error("sysctl kern.bootsessionuuid gave no answer");
  return text;
}

function identifyProcess(pid: number): ProcessIdentity | undefined {
  bootId ??= readBootId();
  const { exitCode, text } = run(["/bin/ps", "-o", "stat=", "-o", "lstart=", "-p", String(pid)]);
  if (exitCode !== 0 && text === "") return undefined;
  const startTime = parseDarwinPs(text);
  return startTime === undefined ? undefined : { pid, startTime, bootId };
}

let lastAsked = 0;

function isStopped(pid: number): boolean {
  // The end of our own ps is news of a child as well: without a pause the question would raise itself for ever.
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
  const [user] = ids;
  if (failed || user === undefined) throw new Error("the other end of the connection cannot be told");
  return user;
}

export const darwin: Platform = {
  name: "darwin",
  syncsDirectories: true,
  openFilesResist: false,
  lockFile: (path) => lockByFile(path, openLocked),
  identifyProcess,
  killGroup,
  isStopped,
  // Nothing tells it, short of calling into the system library.
  ignores: () => false,
  socketDirectories,
  // 104 with the closing zero.
  longestSocketPath: 103,
  peerUser,
  notifyManager: () => {},
  signals: posixSignals,
};
