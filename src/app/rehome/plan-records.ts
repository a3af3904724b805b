import { checkpointsDirectory } from "../../claude/paths.ts";
import { isWithin, movedPath, type Relocation } from "../../core/rehome/moved-path.ts";
import type { RehomeStep, StepOwner } from "../../core/rehome/rehome-record.ts";
import { type RecordKind, relocateRecord } from "../../core/rehome/relocate-record.ts";
import { hostsDirectory, HostRecords } from "../../store/hosts/host-records.ts";
import type { RunPlan } from "../../core/run/run-record.ts";
import type { RunPaths } from "../../store/runs/run-paths.ts";
import { listActiveIds, listEndedIds, readRun } from "../../store/runs/run-registry.ts";
import { listServiceRecords } from "../../store/services/services.ts";
import { listSessionIds, viewSession } from "../../store/snapshots/session-view.ts";
import { listTreeDirectories, treeDirectory } from "../../store/trees/tree-paths.ts";
import { readRecord, recordPath } from "../../store/trees/tree-record.ts";
import { fileFacts, identityAt, listDirectory, readText } from "../../io/files/read-file.ts";
import type { Environment } from "../environment.ts";
import { runPathsOf } from "../run-records/register-run.ts";
import type { LeftBehind, MovedSession, PartialPlan } from "./plan-sessions.ts";

/** A step that changes the paths of a record; none when they stay. `now` is where its text is before the steps. */
function edit(
  record: RecordKind,
  owner: StepOwner,
  moves: readonly Relocation[],
  path: string,
  now: string = path,
): RehomeStep[] {
  const before = readText(now);
  const after = before === undefined ? undefined : relocateRecord(record, before, moves);
  if (before === undefined || after === undefined || after === before) return [];
  return [{ kind: "edit", path, record, before, owner }];
}

/** The states of snapshots, also of past generations, and the pointer to the newest. */
export function planSnapshots(
  { paths }: Environment,
  moves: readonly Relocation[],
  stuck: readonly MovedSession[],
): PartialPlan {
  const ids = listSessionIds(paths).filter((id) => !stuck.some(({ sessionId }) => sessionId === id));
  const steps = ids.flatMap((id) => {
    const owner = { kind: "session", id } as const;
    const past = (viewSession(paths, id)?.generations ?? []).filter(({ ended }) => ended !== undefined);
    return [paths.state(id), ...past.map(({ number }) => paths.pastState(id, number))].flatMap((path) =>
      edit("snapshot", owner, moves, path),
    );
  });
  return { steps: [...steps, ...edit("latest", { kind: "none" }, moves, paths.latest)], left: [] };
}

/** File marks follow, unless the new place has its own. */
export function planTrees({ paths }: Environment, move: Relocation): PartialPlan {
  const steps: RehomeStep[] = [];
  const left: LeftBehind[] = [];
  for (const from of listTreeDirectories(paths)) {
    const record = readRecord(from);
    const workspace = record === undefined || record === "damaged" ? undefined : movedPath(record.workspace, move);
    const file = identityAt(from);
    if (record === undefined || record === "damaged" || workspace === undefined || file === undefined) continue;
    const to = treeDirectory(paths, workspace);
    const owner = { kind: "tree", workspace: record.workspace } as const;
    if (identityAt(to) !== undefined) left.push({ path: from, why: `${workspace} has file marks of its own` });
    else {
      steps.push({ kind: "move", from, to, file, owner });
      steps.push(...edit("tree", owner, [move], recordPath(to), recordPath(from)));
    }
  }
  return { steps, left };
}

/** `moved`: the steps that bring the checkpoint of a directory to its new place. */
export function planCheckpoints(
  { claudeConfig }: Environment,
  moves: readonly Relocation[],
  moved: readonly RehomeStep[],
): PartialPlan {
  const owner = { kind: "checkpoint" } as const;
  const shared = checkpointsDirectory(claudeConfig);
  const own = moved.flatMap((step) => {
    if (step.kind !== "move") return [];
    if (step.to.endsWith("/memory/checkpoint.json")) return edit("checkpoint", owner, moves, step.to, step.from);
    return step.to.endsWith("/memory/checkpoint.md") ? edit("checkpoint-text", owner, moves, step.to, step.from) : [];
  });
  const past = listDirectory(`${shared}/past`).filter((name) => name.endsWith(".json") && !name.startsWith("."));
  const others = ["latest.json", ...past.map((name) => `past/${name}`)];
  return {
    steps: [...own, ...others.flatMap((name) => edit("checkpoint", owner, moves, `${shared}/${name}`))],
    left: [],
  };
}

/** The registry of runs, with the sessions of cclaude, and the hosts that belong to them. */
export function planRuns(environment: Environment, move: Relocation, moves: readonly Relocation[]): PartialPlan {
  const paths = runPathsOf(environment);
  const runs = [...listActiveIds(paths), ...listEndedIds(paths)].flatMap((id) => {
    const plan = planOf(paths, id);
    if (plan === undefined || !(isWithin(move.from, plan.cwd) || isWithin(move.from, plan.directory))) return [];
    const path = [paths.activeRun(id), paths.endedRun(id)].find((each) => fileFacts(each) !== undefined);
    return path === undefined ? [] : edit("run", { kind: "run", id }, moves, path);
  });
  const hosts = new HostRecords(paths.root)
    .all()
    .flatMap(({ plan: { id } }) =>
      edit("host", { kind: "host", id }, moves, `${hostsDirectory(paths.root)}/${id}.json`),
    );
  return { steps: [...runs, ...hosts], left: [] };
}

/** A damaged record belongs to no directory; one that cannot be read now may be of the moved project. */
function planOf(paths: RunPaths, id: string): RunPlan | undefined {
  try {
    return readRun(paths, id)?.plan;
  } catch (error) {
    if ((error as { code?: unknown }).code === "damaged") return undefined;
    throw error;
  }
}

/** A service with the wrapper takes its directory from its record; the unit of another one names it. */
export function planServices(environment: Environment, move: Relocation): PartialPlan {
  const { services } = runPathsOf(environment);
  const concerned = listServiceRecords(services).filter(({ workspace }) => movedPath(workspace, move) !== undefined);
  const path = (slug: string): string => `${services}/${slug}.json`;
  return {
    steps: concerned
      .filter(({ resume }) => resume)
      .flatMap(({ slug }) => edit("service", { kind: "service" }, [move], path(slug))),
    left: concerned
      .filter(({ resume }) => !resume)
      .map(({ slug }) => ({
        path: path(slug),
        why: `its unit names the old directory: run ai-runtime service uninstall ${slug}, then install it again in the new one`,
      })),
  };
}
