import { defaultSize } from "../../core/host/terminal-size.ts";
import type { Size } from "../../core/host/frames.ts";
import { Failure, type FailureKind } from "../../core/failure.ts";
import { newRun, type RunPlan } from "../../core/run/run-record.ts";
import { type Announced, startAnnounced } from "../../io/process/start-detached.ts";
import { HostRecords, type HostPlan, type HostRecord, isHosted } from "../../store/hosts/host-records.ts";
import { RunPaths, runRoot } from "../../store/runs/run-paths.ts";
import { listActiveIds, registerRun } from "../../store/runs/run-registry.ts";
import type { Environment } from "../environment.ts";
import { lockHost } from "../hosted-claude/host-run.ts";

// Keeps the records of hosts and starts hosts. `process.ts` runs inside the host process and alone loads the screen model.

const rootOf = ({ variables, home }: Environment): string => runRoot(variables, home);

export const hostRecords = (environment: Environment): HostRecords => new HostRecords(rootOf(environment));

/** Records of ended programs are kept for 30 days. */
const recordRetentionMs = 30 * 24 * 3_600_000;
/** The user waits for the start, so each start removes at most this many old records. */
const maxRemovedAtOnce = 100;

export interface HostStart extends Omit<HostPlan, "size" | "created" | "greeting"> {
  /** The size of the terminal that attaches first; undefined when none does. */
  readonly size?: Size | undefined;
  /** The run to register; null when it is already registered or is not a run. */
  readonly run: RunPlan | null;
}

/** Starts a host process that outlives this one. Returns when the program runs and clients can attach. */
export async function startHost(
  environment: Environment,
  { size = defaultSize, run, ...start }: HostStart,
): Promise<void> {
  removeOldHosts(environment);
  planHost(environment, { ...start, size, greeting: null, created: environment.now() });
  if (run) registerRun(new RunPaths(rootOf(environment)), newRun(run));
  const command = [process.execPath, "host", start.id];
  readAnnouncement(await startAnnounced(command, "ai-runtime", environment.variables, start.directory));
}

/** What a client sends to the host that it starts for its own terminal. */
export interface TerminalHostPlan {
  readonly plan: HostPlan;
  readonly run: RunPlan;
  /** The settings of the client's terminal, in base64. */
  readonly terminal: string | null;
}

export interface TerminalHost {
  readonly socket: string;
  /** Ends the host before it has started the program. */
  end(): Promise<void>;
}

/** Starts a host process for this terminal. Its program starts when this client attaches. */
export async function startTerminalHost(
  environment: Environment,
  { run, terminal, ...start }: HostStart & Omit<TerminalHostPlan, "plan"> & { readonly size: Size },
): Promise<TerminalHost> {
  const plan: HostPlan = { ...start, startsAttached: true, greeting: null, created: environment.now() };
  const command = [process.execPath, "terminal-host", start.id];
  const input = `${JSON.stringify({ plan, run, terminal } satisfies TerminalHostPlan)}\n`;
  const host = await startAnnounced(command, "ai-runtime", environment.variables, start.directory, input);
  return { socket: readAnnouncement(host), end: host.end };
}

/** Removes old records, the oldest first. Keeps those of active runs, which resume needs. */
export function removeOldHosts(environment: Environment): void {
  const records = hostRecords(environment);
  const open = new Set(listActiveIds(new RunPaths(rootOf(environment))));
  const before = environment.now() - recordRetentionMs;
  const isOld = ({ plan, end }: HostRecord): boolean => (end?.time ?? plan.created) < before;
  const old = records.all().filter((record) => isOld(record) && !open.has(record.plan.id) && !isHosted(record));
  for (const { plan } of old.slice(-maxRemovedAtOnce)) records.remove(plan.id);
}

/** Writes the plan that the host process reads. Fails while a host of this id runs, because clients find it by its record. */
function planHost(environment: Environment, plan: HostPlan): void {
  const lock = lockHost(new RunPaths(rootOf(environment)), plan.id);
  try {
    hostRecords(environment).write({ version: 1, plan, running: null, session: null, end: null });
  } finally {
    lock.release();
  }
}

export type Announcement =
  | { readonly ready: true; readonly socket: string }
  | { readonly failure: { readonly kind: FailureKind; readonly message: string; readonly hint?: string | undefined } };

/** Returns the path of the host's socket. */
function readAnnouncement({ line }: Announced): string {
  if (line === "") throw new Failure("failed", "the host ended before it was ready");
  const announcement = JSON.parse(line) as Announcement;
  if ("ready" in announcement) return announcement.socket;
  const { kind, message, hint } = announcement.failure;
  throw new Failure(kind, message, hint === undefined ? {} : { hint });
}
