import { Failure } from "../core/failure.ts";
import type { RunRecord } from "../core/run-record.ts";
import type { HostRecord } from "../store/host-records.ts";
import type { RunPaths } from "../store/run-paths.ts";
import { listActiveIds, listEndedIds } from "../store/run-registry.ts";
import type { Environment } from "./environment.ts";
import { findRun, isHeld, listActive, readSettled } from "./find-run.ts";
import { hostRecords, isHosted } from "./hosts.ts";

/** What can be watched: a program in a terminal of ours, or what a run without one prints. */
export type Attachable =
  { readonly kind: "hosted"; readonly record: HostRecord } | { readonly kind: "headless"; readonly record: RunRecord };

/** By its id, or a beginning or end of it; without, the newest that goes on, else the newest of all runs. */
export function findAttachable(environment: Environment, paths: RunPaths, given: string | undefined): Attachable {
  const hosts = hostRecords(environment).all();
  const active = listActiveIds(paths);
  const hosted = (id: string): Attachable | undefined => {
    const record = hosts.find(({ plan }) => plan.id === id);
    return record && { kind: "hosted", record };
  };
  const resolve = (id: string): Attachable => hosted(id) ?? { kind: "headless", record: readSettled(paths, id) };
  if (given === undefined) {
    const running = hosts.filter(isHosted).sort((a, b) => b.plan.created - a.plan.created)[0];
    // One that has died does not hide those that live; one that just begins has nobody yet who answers for it.
    const live = listActive(paths).findLast((run) => isHeld(run) || run.status.phase === "starting");
    if (running && running.plan.created >= (live?.plan.created ?? 0)) return { kind: "hosted", record: running };
    const id = live?.plan.id ?? active.at(-1) ?? listEndedIds(paths).at(-1);
    if (id !== undefined) return resolve(id);
    throw new Failure("not-found", "nothing runs that could be attached", {
      hint: 'Start something with: ai-runtime run "<task>" --detach, or cclaude --detachable',
    });
  }
  const fits = (id: string): boolean => id.startsWith(given) || id.endsWith(given);
  const ids = hosts.map(({ plan }) => plan.id);
  const matches = ids.includes(given) ? [given] : ids.filter(fits);
  const [only] = matches;
  const runs = [...active, ...listEndedIds(paths)].filter((id) => !ids.includes(id) && fits(id));
  if (only !== undefined && matches.length === 1 && (only === given || runs.length === 0)) return resolve(only);
  if (matches.length === 0) return resolve(findRun(paths, given, environment.cwd).plan.id);
  throw new Failure("usage", `"${given}" fits ${[...matches, ...runs].join(", ")}`, { hint: "Give more of the id." });
}
