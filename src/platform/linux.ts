import { dlopen, ptr, read } from "bun:ffi";
import { closeSync, constants, openSync, readFileSync } from "node:fs";
import { constants as osConstants } from "node:os";
import { parseLinuxStat } from "./parse-linux-stat.ts";
import { type Platform, posixSignals, type ProcessIdentity } from "./platform.ts";
import { killGroup } from "./posix-kill-group.ts";
import { lockByFile } from "./posix-lock.ts";
import { socketDirectories } from "./posix-socket-directories.ts";
import { notifySystemd } from "./notify-systemd.ts";

const LOCK_EXCLUSIVE_NONBLOCKING = 2 | 4;
const EAGAIN = 11;
/** Absent from node's constants. A child that inherited the descriptor would keep the lock after our death. */
const O_CLOEXEC = 0o2000000;

// glibc by its name; musl answers to every `libc.*` with itself. Loaded at the first use only.
let library: ReturnType<typeof loadLibrary> | undefined;
const loadLibrary = () =>
  dlopen("libc.so.6", {
    flock: { args: ["i32", "i32"], returns: "i32" },
    getsockopt: { args: ["i32", "i32", "i32", "ptr", "ptr"], returns: "i32" },
    __errno_location: { args: [], returns: "ptr" },
  }).symbols;

function openLocked(path: string): number | "busy" {
  library ??= loadLibrary();
  // Writable although nothing is written: NFS turns flock into a write lock.
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | O_CLOEXEC, 0o600);
  if (library.flock(descriptor, LOCK_EXCLUSIVE_NONBLOCKING) === 0) return descriptor;
  const location = library.__errno_location();
  const errno = location === null ? 0 : read.i32(location, 0);
  closeSync(descriptor);
  if (errno === EAGAIN) return "busy";
  throw Object.assign(new Error(`flock failed with errno ${errno}`), { code: "EFLOCK" });
}

let bootId: string | undefined;

function identifyProcess(pid: number): ProcessIdentity | undefined {
  // Read first, and never forgiven: without /proc every process would look dead.
  bootId ??= readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // ESRCH: it ended between the open and the read.
    if (code === "ENOENT" || code === "ESRCH") return undefined;
    throw error;
  }
  const startTime = parseLinuxStat(stat);
  return startTime === undefined ? undefined : { pid, startTime, bootId };
}

function isStopped(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).startsWith("T");
  } catch {
    // It has ended.
    return false;
  }
}

/** A mask in hexadecimal; the first signal is the lowest bit. */
function ignores(signal: NodeJS.Signals): boolean {
  try {
    const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
    return ((BigInt(`0x${mask}`) >> BigInt(osConstants.signals[signal] - 1)) & 1n) === 1n;
  } catch {
    return false;
  }
}

const SOL_SOCKET = 1;
const SO_PEERCRED = 17;

function peerUser(descriptor: number): number {
  library ??= loadLibrary();
  // pid, uid, gid.
  const credentials = new Uint32Array(3);
  const length = new Uint32Array([credentials.byteLength]);
  const failed = library.getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, ptr(credentials), ptr(length)) !== 0;
  const [, user] = credentials;
  if (failed || user === undefined) throw new Error("the other end of the connection cannot be told");
  return user;
}

export const linux: Platform = {
  name: "linux",
  syncsDirectories: true,
  openFilesResist: false,
  lockFile: (path) => lockByFile(path, openLocked),
  identifyProcess,
  killGroup,
  isStopped,
  ignores,
  socketDirectories,
  // 108 with the closing zero.
  longestSocketPath: 107,
  peerUser,
  notifyManager: notifySystemd,
  signals: posixSignals,
};
