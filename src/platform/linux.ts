import { dlopen, ptr, read } from "bun:ffi";
import { closeSync, constants, openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { constants as osConstants } from "node:os";
import { parseLinuxStat } from "./parse-linux-stat.ts";
import type { Platform, ProcessIdentity } from "./platform.ts";
import { knownUser, posix } from "./posix.ts";
import { lockByFile } from "./posix-lock.ts";
import { terminalControl } from "./posix-terminal.ts";
import { notifySystemd } from "./notify-systemd.ts";

const LOCK_EXCLUSIVE_NONBLOCKING = 2 | 4;
const EAGAIN = 11;
/** Missing from node's constants. A child that inherited the descriptor would keep the lock after our death. */
const O_CLOEXEC = 0o2000000;

// The name of glibc; musl resolves every `libc.*` to itself. Loaded at first use.
let library: ReturnType<typeof loadLibrary> | undefined;
const loadLibrary = () =>
  dlopen("libc.so.6", {
    flock: { args: ["i32", "i32"], returns: "i32" },
    getsockopt: { args: ["i32", "i32", "i32", "ptr", "ptr"], returns: "i32" },
    __errno_location: { args: [], returns: "ptr" },
  }).symbols;

function openLocked(path: string): number | undefined {
  library ??= loadLibrary();
  // Writable although nothing is written: NFS turns flock into a write lock.
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | O_CLOEXEC, 0o600);
  if (library.flock(descriptor, LOCK_EXCLUSIVE_NONBLOCKING) === 0) return descriptor;
  const location = library.__errno_location();
  const errno = location === null ? 0 : read.i32(location, 0);
  closeSync(descriptor);
  if (errno === EAGAIN) return undefined;
  throw Object.assign(new Error(`flock failed with errno ${errno}`), { code: "EFLOCK" });
}

let knownBootId: string | undefined;
const bootId = (): string => (knownBootId ??= readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());

function identifyProcess(pid: number): ProcessIdentity | undefined {
  // Read first, and errors are not caught: without /proc every process would look dead.
  const boot = bootId();
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // ESRCH: it ended between open and read.
    if (code === "ENOENT" || code === "ESRCH") return undefined;
    throw error;
  }
  const startTime = parseLinuxStat(stat);
  return startTime === undefined ? undefined : { pid, startTime, bootId: boot };
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

/** A hexadecimal mask; the first signal is the lowest bit. */
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
  return knownUser(failed ? undefined : credentials[1]);
}

const O_NONBLOCK = 0o4000;

/** A blocking one is left out: a program that does not read would block us. */
function findMasters(): number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number).filter(isMaster);
  } catch {
    return [];
  }
}

function isMaster(descriptor: number): boolean {
  try {
    if (!readlinkSync(`/proc/self/fd/${descriptor}`).endsWith("/ptmx")) return false;
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1] ?? "0";
    return (Number.parseInt(flags, 8) & O_NONBLOCK) !== 0;
  } catch {
    // The descriptor of the listing itself is closed by now.
    return false;
  }
}

export const linux: Platform = {
  ...posix,
  name: "linux",
  lockFile: (path) => lockByFile(path, openLocked),
  bootId,
  identifyProcess,
  isStopped,
  ignores,
  // 108 including the final zero.
  longestSocketPath: 107,
  peerUser,
  notifyManager: notifySystemd,
  hostsByDefault: true,
  terminal: terminalControl("libc.so.6", 12, findMasters),
};
