import { grantOf, rankOf, unfitFlag, withOwnMode } from "../../claude/argv/fleet-flags.ts";
import { Failure } from "../../core/failure.ts";
import { type FleetTask, readLabels } from "../../core/fleet/fleet-run.ts";
import { insertFleetRun } from "../../hub/fleet-runs.ts";
import { resolveLinks } from "../../io/files/read-file.ts";
import { findProjectGit, findRoot, readRemote } from "../../io/git/git-files.ts";
import type { Environment } from "../environment.ts";
import { withHub } from "../hub/open-hub.ts";
import { readConditions } from "../queue/enqueue.ts";
import type { RunWords } from "../run/run-request.ts";
import { newRunId } from "../run-records/register-run.ts";
import { checkRef, checkRepo } from "./fleet-workspace.ts";
import { sealTask } from "./sealed.ts";

export interface Enqueued {
  readonly id: string;
  readonly sessionId: string;
  readonly repo: string | null;
}

const localOnly = ["interactive", "max-wait", "no-wait", "when-available", "after", "after-success", "deadline"];

/** Puts a run into the queue of the fleet. It is in the database when this returns. */
export async function enqueueFleet(environment: Environment, words: RunWords, task: string): Promise<Enqueued> {
  const { own, flags, maxBudgetUsd } = words;
  const unusable = [...localOnly, "max-parallel"].find((flag) => own.has(flag));
  if (unusable !== undefined) throw new Failure("usage", `--${unusable} cannot be used with --fleet`);
  const unfit = unfitFlag(flags);
  if (unfit !== undefined) {
    throw new Failure("usage", `${unfit} cannot be used with --fleet: a worker may not have what it names`, {
      hint: "Put settings, tools and files into the repository.",
    });
  }
  const labels = readLabels(own.get("labels"));
  if (labels === undefined) throw new Failure("usage", `--labels must be words such as linux,gpu`);
  const conditions = readConditions(environment, own);
  const repo = repoOf(environment, own.get("repo"));
  const ref = own.get("ref");
  if (ref !== undefined && repo === null) throw new Failure("usage", "--ref needs a repository: give --repo");
  const id = newRunId(environment);
  const sessionId = crypto.randomUUID();
  const given: Omit<FleetTask, "from"> = {
    version: 1,
    task,
    flags: withOwnMode(flags),
    permissionMode: words.permissionMode,
    maxBudgetUsd,
    repo,
    ref: ref === undefined ? null : checkRef(ref),
    labels,
    created: environment.now(),
  };
  await withHub(environment, ({ connection, sealer, config }) =>
    insertFleetRun(connection, {
      id,
      session: sessionId,
      grants: rankOf(grantOf(given.flags)),
      labels: labels.map((label) => sealer.tag(labelText(label))),
      priority: conditions?.priority ?? 0,
      delayMs: Math.max(0, (conditions?.at ?? 0) - environment.now()),
      task: sealTask(sealer, id, { ...given, from: config.name }),
    }),
  );
  return { id, sessionId, repo };
}

/** Texts whose tags the database sees. */
export const labelText = (label: string): string => `label:${label}`;
export const accountText = (account: string): string => `account:${account}`;

/** The repository around the directory, unless another one is given. Its remote is what workers can reach. */
function repoOf({ cwd }: Environment, given: string | undefined): string | null {
  if (given === "none") return null;
  if (given !== undefined) return checkRepo(given);
  const root = findRoot(resolveLinks(cwd));
  const git = root === undefined ? undefined : findProjectGit(root);
  if (git === undefined) return null;
  const remote = readRemote(git);
  if (remote !== null) return checkRepo(remote);
  throw new Failure("usage", "this repository has no remote that a worker could clone", {
    hint: "Give --repo URL, or --repo none for an empty directory.",
  });
}
