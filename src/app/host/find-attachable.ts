import { Failure } from "../../core/failure.ts";
import { matchId } from "../../core/match-id.ts";
import type { HostedState } from "../../core/host/hosted-state.ts";
import type { RunRecord, RunStatus } from "../../core/run/run-record.ts";
import type { HostRecord } from "../../store/hosts/host-records.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { listActiveIds, listEndedIds } from "../../store/runs/run-registry.ts";
import type { Environment } from "../environment.ts";
import { findRun, isHeld, listActive, readSettled } from "../run-records/find-run.ts";
import { isHosted } from "../../store/hosts/host-records.ts";
import { hostRecords } from "./registry.ts";

export { readKeysUntil } from "../../io/terminal/raw-keys.ts";

/** A program or run that attach can show live. */
export interface LiveProgram {
  readonly id: string;
  /** Claude's title of the conversation, else the task; may be empty. */
  readonly title: string;
  readonly directory: string;
  readonly state:
    | { readonly kind: "hosted"; readonly status: HostedState }
    | { readonly kind: "headless"; readonly status: RunStatus };
  /** When the state began, in milliseconds since 1970. */
  readonly since: number;
}

/** Everything that runs now, the newest first. */
export function listLive(environment: Environment, paths: RunPaths): LiveProgram[] {
  const runs = listActive(paths);
  const taskOf = (id: string): string => runs.find(({ plan }) => plan.id === id)?.plan.task ?? "";
  const hosted = hostRecords(environment)
    .all()
    .filter(isHosted)
    .map(({ plan, status }) => ({
      id: plan.id,
      created: plan.created,
      title: status?.title ?? taskOf(plan.id),
      directory: plan.directory,
      state: { kind: "hosted", status: status?.state ?? { kind: "working" } } as const,
      since: status?.since ?? plan.created,
    }));
  const headless = runs
    .filter((run) => run.plan.kind === "headless" && (isHeld(run) || run.status.phase === "starting"))
    .map(({ plan, status }) => ({
      id: plan.id,
      created: plan.created,
      title: plan.task,
      directory: plan.cwd,
      state: { kind: "headless", status } as const,
      since: status.since,
    }));
  return [...hosted, ...headless].sort((a, b) => b.created - a.created);
}

/** What attach can show: a program in a host's terminal, or the output of a run without a terminal. */
export type Attachable =
  { readonly kind: "hosted"; readonly record: HostRecord } | { readonly kind: "headless"; readonly record: RunRecord };

/** By id, id prefix or id suffix. Default: the newest that is running, else the newest run. */
export function findAttachable(environment: Environment, paths: RunPaths, given: string | undefined): Attachable {
  const hosts = hostRecords(environment).all();
  const active = listActiveIds(paths);
  const hosted = (id: string): Attachable | undefined => {
    const record = hosts.find(({ plan }) => plan.id === id);
    return record && { kind: "hosted", record };
  };
  const resolve = (id: string): Attachable => hosted(id) ?? headless(readSettled(paths, id));
  if (given === undefined) {
    const running = hosts.filter(isHosted).sort((a, b) => b.plan.created - a.plan.created)[0];
    // Skips runs whose supervisor died. A starting run has no supervisor yet.
    const open = listActive(paths).filter(({ plan }) => !plan.cclaude);
    const live = open.findLast((run) => isHeld(run) || run.status.phase === "starting");
    if (running && running.plan.created >= (live?.plan.created ?? 0)) return { kind: "hosted", record: running };
    const id = live?.plan.id ?? open.at(-1)?.plan.id ?? listEndedIds(paths).at(-1);
    if (id !== undefined) return resolve(id);
    throw new Failure("not-found", "no running program or run to attach to", {
      hint: 'Start one with: ai-runtime run "<task>" --detach, or cclaude',
    });
  }
  const ids = [...hosts.map(({ plan }) => plan.id), ...active, ...listEndedIds(paths)];
  const match = matchId(ids, given, { kind: "runs and sessions", allowSuffix: true });
  // Without a match, `findRun` throws and explains why.
  return resolve(match ?? findRun(paths, given, environment.cwd).plan.id);
}

/** A session of cclaude has no output of ours to show: it runs in the terminal or script that started it. */
function headless(record: RunRecord): Attachable {
  const { plan, status } = record;
  if (!plan.cclaude) return { kind: "headless", record };
  if (isHeld(record)) {
    throw new Failure("usage", `session ${plan.id} runs in its own terminal (process ${status.supervisor?.pid})`);
  }
  throw new Failure("not-found", `session ${plan.id} was interrupted and does not run`, {
    hint: `Resume with: ai-runtime resume ${plan.id}`,
  });
}
