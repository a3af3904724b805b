import { identifyProcess, type ProcessIdentity } from "../../../src/io/process/process.ts";
import { writePendingFlags } from "../../../src/store/cclaude/pending-flags.ts";
import { HostRecords } from "../../../src/store/hosts/host-records.ts";
import { runRoot } from "../../../src/store/runs/run-paths.ts";
import type { SnapshotPaths } from "../../../src/store/snapshots/snapshot-paths.ts";

function identify(pid: number): ProcessIdentity {
  const identity = identifyProcess(pid);
  if (!identity) throw new Error(`process ${pid} does not run`);
  return identity;
}

/** Writes the record of a cclaude, as if this process were one. */
export function holdByCclaude(paths: SnapshotPaths, sessionId: string, pid: number): Promise<void> {
  const started = Date.now();
  return writePendingFlags(paths, { version: 1, process: identify(pid), started, cwd: "/", flags: [], sessionId });
}

/** Writes the record of the host "hosted", as if these processes were the host and its program. */
export function holdByHost(home: string, sessionId: string, host: number, program: number): void {
  const plan = { id: "hosted", command: ["cclaude"], name: "cclaude", directory: home, greeting: null, sessionId };
  new HostRecords(runRoot({}, home)).write({
    version: 1,
    plan: { ...plan, size: { columns: 80, rows: 24 }, created: Date.now() },
    running: { host: identify(host), program: identify(program), socket: "none" },
    session: null,
    end: null,
  });
}
