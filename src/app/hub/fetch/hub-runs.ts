import { isRunRecord } from "../../../core/check-record.ts";
import { Failure } from "../../../core/failure.ts";
import { decideLease, leaseSeconds } from "../../../core/hub/lease.ts";
import type { Manifest } from "../../../core/hub/manifest.ts";
import { matchId } from "../../../core/match-id.ts";
import { messageOf } from "../../../core/message-of.ts";
import { fleetContinues } from "../../../core/run/fleet-continues.ts";
import { hasEnded, isFinal, type RunRecord } from "../../../core/run/run-record.ts";
import { type Head, listHeads, readHead, takeLease } from "../../../hub/subjects.ts";
import { makeDirectory, replaceFile } from "../../../io/durable/durable.ts";
import { fileSize, readBytes } from "../../../io/files/read-file.ts";
import { RunFiles } from "../../../store/runs/run-files.ts";
import { runDirectory, type RunPaths } from "../../../store/runs/run-paths.ts";
import { listActiveIds, listEndedIds, readRun, writeRun } from "../../../store/runs/run-registry.ts";
import type { Environment } from "../../environment.ts";
import { findClaude } from "../../find-claude.ts";
import { logProblem } from "../../program-log.ts";
import { fetchAll } from "./continue-elsewhere.ts";
import { nameOfMachine, placeFor, readLabel, refuseHeld } from "./find-in-hub.ts";
import { runNames, runSubjectId } from "../replicate/gather-run.ts";
import { openLabel } from "../labels.ts";
import { type Hub, isHubAway, withHub } from "../open-hub.ts";
import { readWholeItem } from "./read-item.ts";
import { openManifest } from "../replicate/subject.ts";

const maxListed = 200;

/** A run of another machine, as `status` shows it. */
export interface RunElsewhere {
  readonly id: string;
  readonly machine: string;
  readonly phase: string;
  readonly task: string;
  readonly directory: string;
  /** Its machine works on it now. */
  readonly held: boolean;
}

/** The newest runs that other machines wrote last. */
export const listRunsElsewhere = (environment: Environment): Promise<RunElsewhere[]> =>
  withHub(environment, async (hub) => {
    const found: RunElsewhere[] = [];
    for (const head of await listHeads(hub.connection, "run", { limit: maxListed })) {
      if (head.holder === hub.config.machine) continue;
      const label = openLabel(hub.sealer, head.id, head.label) ?? {};
      const text = (name: string): string => (typeof label[name] === "string" ? label[name] : "");
      found.push({
        id: text("id"),
        machine: await nameOfMachine(hub, head.holder),
        phase: text("phase"),
        task: text("task"),
        directory: text("cwd"),
        held: decideLease(head, hub.config.machine) === "held",
      });
    }
    return found;
  });

/** Makes a run of another machine one of this machine, when the id fits none here. */
export async function bringRun(environment: Environment, paths: RunPaths, given: string): Promise<void> {
  const local = [...listActiveIds(paths), ...listEndedIds(paths)];
  if (matchId(local, given, { kind: "runs", allowSuffix: true }) !== undefined) return;
  await withHub(environment, async (hub) => {
    const heads = await listHeads(hub.connection, "run", { limit: maxListed });
    const ids = heads.map(({ id }) => id.replace(/^run-/, ""));
    const id = matchId(ids, given, { kind: "runs", allowSuffix: true });
    const head = heads.find((each) => id !== undefined && each.id === runSubjectId(id));
    if (id !== undefined && head) await fetchRun(environment, hub, { paths, id, head });
  });
}

/** Before a run resumes: when another machine has continued it, that is what resumes. The hub away changes nothing. */
export async function claimRun(environment: Environment, paths: RunPaths, id: string): Promise<void> {
  try {
    await withHub(environment, async (hub) => {
      const head = await readHead(hub.connection, runSubjectId(id));
      if (!head || head.holder === hub.config.machine) return;
      await fetchRun(environment, hub, { paths, id, head });
    });
  } catch (error) {
    if (!isHubAway(error)) throw error;
    logProblem(environment, `hub: run ${id} resumes without the hub: ${messageOf(error)}`);
  }
}

interface FoundRun {
  readonly paths: RunPaths;
  readonly id: string;
  readonly head: Head;
}

async function fetchRun(environment: Environment, hub: Hub, { paths, id, head }: FoundRun): Promise<void> {
  const record = readRecordOf(openManifest(hub.sealer, head), id);
  if (record.plan.isOfFleet) throw fleetContinues(id);
  const known = readRun(paths, id);
  // Nothing is left to continue, so it does not matter whether its machine still holds the conversation.
  if (known && isFinal(record.status.phase)) {
    writeRun(paths, { ...known, status: { ...record.status, supervisor: null, child: null } });
    return;
  }
  await refuseHeld(hub, head);
  const session = await readHead(hub.connection, record.plan.sessionId);
  if (!session) {
    throw new Failure("not-found", `the hub has no conversation of run ${id}: it was lost with its machine`, {
      hint: `Start its task anew: ${record.plan.task.slice(0, 200)}`,
    });
  }
  const place = placeFor(environment, readLabel(hub, session), environment.cwd);
  if (place === undefined) {
    throw new Failure(
      "not-found",
      `run ${id} is from ${record.plan.cwd} on another machine; that project is not known here`,
      {
        hint: "Run this in a checkout of the project.",
      },
    );
  }
  await placeRun(environment, hub, { paths, id, head, session, place });
}

/** Makes this machine the writer of a run and of its conversation, and brings both into a directory. */
export async function placeRun(
  environment: Environment,
  hub: Hub,
  { paths, id, head, session, place }: FoundRun & { readonly session: Head | undefined; readonly place: string },
): Promise<void> {
  const manifest = openManifest(hub.sealer, head);
  const record = readRecordOf(manifest, id);
  await refuseHeld(hub, head);
  if ((await takeLease(hub.connection, head, hub.config.machine, leaseSeconds)) === undefined) {
    throw new Failure("locked", `another machine has just taken run ${id}`, { hint: "Try again." });
  }
  if (session) await fetchAll(environment, hub, session, place);
  const files = new RunFiles(runDirectory(place, id));
  files.make();
  for (const [name, path] of [
    [runNames.journal, files.journal],
    [runNames.log, files.log],
  ] as const) {
    const item = manifest.items.find((each) => each.name === name);
    if (item) placeGrown(path, await readWholeItem(hub, head.id, item));
  }
  const checkpoint = manifest.documents[runNames.checkpoint];
  if (checkpoint !== undefined) replaceFile(files.checkpoint, checkpoint);
  const { plan, status } = record;
  const claude = findClaude(environment.variables, process.execPath);
  const here = { cwd: place, directory: files.directory, claude, claudeConfig: environment.claudeConfig };
  // No process of this machine has it. Paused by a shutdown, it can be resumed, and recover does so too.
  const phase = hasEnded(status.phase) ? {} : ({ phase: "paused", cause: "shutdown" } as const);
  makeDirectory(hasEnded(status.phase) ? paths.ended : paths.active);
  writeRun(paths, {
    ...record,
    plan: { ...plan, ...here },
    status: { ...status, ...phase, supervisor: null, child: null },
  });
}

function readRecordOf({ documents }: Manifest, id: string): RunRecord {
  const value: unknown = JSON.parse(documents[runNames.record] ?? "null");
  if (isRunRecord(value, id)) return value;
  throw new Failure("corrupt", `the hub's record of run ${id} cannot be read`, { hint: "Update ai-runtime here." });
}

/** What this machine has beside it is kept under another name. */
function placeGrown(path: string, content: Uint8Array): void {
  const present = readBytes(path);
  if (present && Buffer.compare(present, content.subarray(0, present.length)) !== 0) {
    let number = 1;
    while (fileSize(`${path}.before-${number}`) !== undefined) number++;
    replaceFile(`${path}.before-${number}`, present);
  }
  replaceFile(path, content);
}
