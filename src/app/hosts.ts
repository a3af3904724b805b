import type { ContinuationSettings } from "../core/continuation.ts";
import { usualSize } from "../core/terminal-size.ts";
import type { HostedEnd, Size } from "../core/frames.ts";
import { Failure, type FailureKind } from "../core/failure.ts";
import { readHostSettings } from "../core/host-settings.ts";
import { newRun, type RunPlan } from "../core/run-record.ts";
import { readText } from "../io/read-file.ts";
import { isSameProcess } from "../io/process.ts";
import { withOptionalScratchDirectory } from "../io/scratch-directory.ts";
import { startAnnounced } from "../io/start-detached.ts";
import { HostRecords, type HostPlan, type HostRecord } from "../store/host-records.ts";
import { RunPaths, runRoot } from "../store/run-paths.ts";
import { listActiveIds, registerRun } from "../store/run-registry.ts";
import type { Environment } from "./environment.ts";
import { Host } from "./host.ts";
import { HostRun, lockHost } from "./host-run.ts";

const rootOf = ({ variables, home }: Environment): string => runRoot(variables, home);

export const hostRecords = (environment: Environment): HostRecords => new HostRecords(rootOf(environment));

/** How a program ended is known for a month. */
const keptFor = 30 * 24 * 3_600_000;
/** Somebody waits for a start: the others are for the next one. */
const mostForgotten = 100;

export interface HostStart extends Omit<HostPlan, "size" | "created"> {
  /** Of the terminal that will attach first; undefined when none does. */
  readonly size?: Size | undefined;
  /** To be known as a run; what is known already, or is none, has none. */
  readonly run: RunPlan | null;
}

/** Returns when the program runs in a host of its own, which outlives us, and can be attached to. */
export async function startHost(
  environment: Environment,
  { size = usualSize, run, ...start }: HostStart,
): Promise<void> {
  forgetOldHosts(environment);
  planHost(environment, { ...start, size, created: environment.now() });
  if (run) registerRun(new RunPaths(rootOf(environment)), newRun(run));
  const command = [process.execPath, "host", start.id];
  const failure = parseAnnouncement(
    await startAnnounced(command, "ai-runtime", environment.variables, start.directory),
  );
  if (failure) throw failure;
}

/** Those that are long over, the oldest first. A run that can still be resumed needs its record, however old that is. */
export function forgetOldHosts(environment: Environment): void {
  const records = hostRecords(environment);
  const open = new Set(listActiveIds(new RunPaths(rootOf(environment))));
  const before = environment.now() - keptFor;
  const isOld = ({ plan, end }: HostRecord): boolean => (end?.time ?? plan.created) < before;
  const old = records.all().filter((record) => isOld(record) && !open.has(record.plan.id) && !isHosted(record));
  for (const { plan } of old.slice(-mostForgotten)) records.remove(plan.id);
}

/** Writes down what a host is to run, for whoever starts the host. The record of one that runs is its own: it leads to it. */
function planHost(environment: Environment, plan: HostPlan): void {
  const lock = lockHost(new RunPaths(rootOf(environment)), plan.id);
  try {
    hostRecords(environment).write({ version: 1, plan, running: null, session: null, end: null });
  } finally {
    lock.release();
  }
}

export type Announcement =
  | { readonly ready: true }
  | { readonly failure: { readonly kind: FailureKind; readonly message: string; readonly hint?: string | undefined } };

function parseAnnouncement(line: string): Failure | undefined {
  if (line === "") return new Failure("failed", "the host ended before it was ready");
  const said = JSON.parse(line) as Announcement;
  if ("ready" in said) return undefined;
  const { kind, message, hint } = said.failure;
  return new Failure(kind, message, hint === undefined ? {} : { hint });
}

/** When the host may type for the user after a limit. */
export const continuationSettings = ({ paths, variables }: Environment): ContinuationSettings =>
  readHostSettings(readText(paths.config), variables).settings.continuation;

/** In the process of the host: runs the plan of that name to its end. */
export async function runHost(environment: Environment, id: string, onReady: () => void): Promise<HostedEnd> {
  const records = hostRecords(environment);
  const plan = records.read(id)?.plan;
  if (!plan) throw new Failure("not-found", `there is no plan for a host "${id}"`);
  const run = new HostRun(new RunPaths(rootOf(environment)), id, environment.now);
  const settings = continuationSettings(environment);
  try {
    return await withOptionalScratchDirectory((events) =>
      new Host({ plan, records, run, environment, settings, events }).run(onReady),
    );
  } catch (error) {
    run.ended({ exitCode: 1, signal: null }, undefined);
    throw error;
  } finally {
    run.release();
  }
}

/** Whether its host is running. */
export const isHosted = ({ running, end }: HostRecord): boolean =>
  end === null && running !== null && isSameProcess(running.host);
