import { usualSize } from "../core/terminal-size.ts";
import type { HostedEnd, Size } from "../core/frames.ts";
import { Failure, type FailureKind } from "../core/failure.ts";
import { isSameProcess } from "../io/process.ts";
import { startAnnounced } from "../io/start-detached.ts";
import { HostRecords, type HostRecord } from "../store/host-records.ts";
import type { Environment } from "./environment.ts";
import { Host } from "./host.ts";

export function hostRecords({ variables, home }: Environment): HostRecords {
  const given = variables["XDG_STATE_HOME"];
  return new HostRecords(`${given?.startsWith("/") ? given : `${home}/.local/state`}/ai-runtime`);
}

export interface HostStart {
  readonly id: string;
  readonly command: readonly string[];
  readonly name: string;
  readonly directory: string;
  /** Of the terminal that will attach first; undefined when none does. */
  readonly size?: Size | undefined;
  readonly greeting: string | null;
}

/** Returns when the program runs in a host of its own, which outlives us, and can be attached to. */
export async function startHost(environment: Environment, { size = usualSize, ...start }: HostStart): Promise<void> {
  const { variables, now } = environment;
  const plan = { ...start, size, created: now() };
  const records = hostRecords(environment);
  records.write({ version: 1, plan, running: null, end: null });
  const line = await startAnnounced([process.execPath, "host", start.id], "ai-runtime", variables, start.directory);
  const failure = parseAnnouncement(line);
  if (!failure) return;
  records.remove(start.id);
  throw failure;
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

/** In the process of the host: runs the plan of that name to its end. */
export function runHost(environment: Environment, id: string, onReady: () => void): Promise<HostedEnd> {
  const records = hostRecords(environment);
  const plan = records.read(id)?.plan;
  if (!plan) throw new Failure("not-found", `there is no plan for a host "${id}"`);
  return new Host({ plan, records, variables: environment.variables, now: environment.now }).run(onReady);
}

/** Whether its host is running. */
export const isHosted = ({ running, end }: HostRecord): boolean =>
  end === null && running !== null && isSameProcess(running.host);

/** By its id or the beginning of one; without, the newest that runs. */
export function findHost(environment: Environment, id: string | undefined): HostRecord {
  const all = hostRecords(environment).all();
  if (id === undefined) {
    const newest = all.find(isHosted);
    if (newest) return newest;
    throw new Failure("not-found", "nothing runs that could be attached", {
      hint: "Start one with: cclaude --detachable",
    });
  }
  const [found, ...others] = all.filter(({ plan }) => plan.id === id || plan.id.startsWith(id));
  if (!found) throw new Failure("not-found", `there is no program "${id}" to attach`);
  if (others.length > 0 && found.plan.id !== id) {
    throw new Failure("usage", `"${id}" may be ${[found, ...others].map(({ plan }) => plan.id).join(" or ")}`);
  }
  return found;
}
