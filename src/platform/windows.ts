import { dlopen, ptr } from "bun:ffi";
import { Database } from "bun:sqlite";
import { unlinkSync } from "node:fs";
import type { FileLock, Platform, ProcessIdentity } from "./platform.ts";

// Bun's open supports neither share modes nor locks. SQLite uses LockFileEx on handles that
// children do not inherit, and an exclusive transaction on an empty file writes nothing to it.
function lockFile(path: string): FileLock | undefined {
  const database = new Database(path, { create: true, readwrite: true });
  try {
    database.run("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if ((error as { code?: unknown }).code === "SQLITE_BUSY") return undefined;
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
      // Fails while the next holder has it open, and then the file must stay.
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
    throw new Error(`process ${pid} cannot be inspected`);
  }
  try {
    const times = new BigUint64Array(4);
    const known = library.GetProcessTimes(handle, ptr(times, 0), ptr(times, 8), ptr(times, 16), ptr(times, 24));
    if (known === 0) throw new Error(`process ${pid} has no readable start time`);
    // A dead process can be opened as long as another process has a handle to it; its handle is then signaled.
    if (library.WaitForSingleObject(handle, 0) !== WAIT_TIMEOUT) return undefined;
    // Absolute, in units of 100 ns: it also distinguishes boots.
    return { pid, startTime: String(times[0]), bootId: "" };
  } finally {
    library.CloseHandle(handle);
  }
}

const bootCounter = "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management\\PrefetchParameters";

/** Windows counts its boots. A shutdown with fast startup hibernates the kernel, and may not count as a boot. */
function bootId(): string {
  const { stdout } = Bun.spawnSync(["reg", "query", bootCounter, "/v", "BootId"], {
    stdin: "ignore",
    stderr: "ignore",
  });
  const [, count] = /BootId\s+REG_DWORD\s+(0x[0-9a-f]+)/i.exec(stdout.toString()) ?? [];
  if (count === undefined) throw new Error("the registry does not say how often Windows was started");
  return `windows-${count}`;
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
  cannotReplaceOpenFiles: true,
  lockFile,
  bootId,
  identifyProcess,
  killGroup,
  isStopped: () => false,
  ignores: () => false,
  // Named pipes, which only their creator and administrators can open.
  socketDirectories: () => [],
  longestSocketPath: 250,
  peerUser: () => undefined,
  notifyManager: () => {},
  hostsByDefault: false,
  terminal: undefined,
  signals: ["SIGINT", "SIGTERM", "SIGHUP"],
};
