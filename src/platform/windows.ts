import { dlopen, ptr } from "bun:ffi";
import { Database } from "bun:sqlite";
import { unlinkSync } from "node:fs";
import type { FileLock, Platform, ProcessIdentity } from "./platform.ts";

// Bun's open takes no share mode and no lock; SQLite brings LockFileEx along, on handles that
// children do not inherit, and an exclusive transaction on an empty file writes nothing into it.
function lockFile(path: string): FileLock | "busy" {
  const database = new Database(path, { create: true, readwrite: true });
  try {
    database.run("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if ((error as { code?: unknown }).code === "SQLITE_BUSY") return "busy";
    throw error;
  }
  let held = true;
  const release = (): void => {
    if (!held) return;
    held = false;
    database.close();
  };
  const discard = (): void => {
    release();
    try {
      unlinkSync(path);
    } catch {
      // Refused while the next holder has it open, which is exactly when it must stay.
    }
  };
  return { release, discard };
}

const PROCESS_QUERY_LIMITED_INFORMATION = 0x1000;
const SYNCHRONIZE = 0x100000;
const WAIT_TIMEOUT = 258;

let library: ReturnType<typeof loadLibrary> | undefined;
const loadLibrary = () =>
  dlopen("kernel32.dll", {
    OpenProcess: { args: ["u32", "i32", "u32"], returns: "ptr" },
    GetProcessTimes: { args: ["ptr", "ptr", "ptr", "ptr", "ptr"], returns: "i32" },
    WaitForSingleObject: { args: ["ptr", "u32"], returns: "u32" },
    CloseHandle: { args: ["ptr"], returns: "i32" },
  }).symbols;

function identifyProcess(pid: number): ProcessIdentity | undefined {
  library ??= loadLibrary();
  const handle = library.OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION | SYNCHRONIZE, 0, pid);
  if (handle === null) {
    if (isAbsent(pid)) return undefined;
    throw new Error(`process ${pid} may not be inspected`);
  }
  try {
    const times = new BigUint64Array(4);
    const known = library.GetProcessTimes(handle, ptr(times, 0), ptr(times, 8), ptr(times, 16), ptr(times, 24));
    if (known === 0) throw new Error(`process ${pid} does not tell its start time`);
    // A dead process can be opened for as long as anybody holds a handle to it; its handle is then signalled.
    if (library.WaitForSingleObject(handle, 0) !== WAIT_TIMEOUT) return undefined;
    // Absolute, in units of 100 ns: it tells boots apart by itself.
    return { pid, startTime: String(times[0]), bootId: "" };
  } finally {
    library.CloseHandle(handle);
  }
}

function isAbsent(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function killGroup(leader: number): void {
  Bun.spawnSync(["taskkill", "/F", "/T", "/PID", String(leader)], { stdio: ["ignore", "ignore", "ignore"] });
}

export const windows: Platform = {
  name: "windows",
  syncsDirectories: false,
  openFilesResist: true,
  lockFile,
  identifyProcess,
  killGroup,
  isStopped: () => false,
  ignores: () => false,
  // Named pipes, which the system opens to their maker and administrators alone.
  socketDirectories: () => [],
  longestSocketPath: 250,
  peerUser: () => undefined,
  notifyManager: () => {},
  signals: ["SIGINT", "SIGTERM", "SIGHUP"],
};
