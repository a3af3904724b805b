import { Failure } from "../../core/failure.ts";
import { messageOf } from "../../core/message-of.ts";
import type { Relocation } from "../../core/rehome/moved-path.ts";
import type { RehomeRecord, RehomeStep } from "../../core/rehome/rehome-record.ts";
import { makeDirectory } from "../../io/durable/durable.ts";
import { sweepBeside } from "../../io/durable/sweep-beside.ts";
import { identityAt, parentOf, resolveLinks } from "../../io/files/read-file.ts";
import { isHosted, HostRecords } from "../../store/hosts/host-records.ts";
import { withLockOrFail } from "../../store/lock.ts";
import { listRehomeRecords, nextRehomeNumber, writeRehomeRecord } from "../../store/rehome/rehome-records.ts";
import { isHeld, readIfWhole } from "../../store/runs/run-registry.ts";
import type { Environment } from "../environment.ts";
import { runPathsOf } from "../run-records/register-run.ts";
import { holderFinder } from "../session/find-holder.ts";
import { rehomeCommand } from "../session/find-moved.ts";
import { nameHolder } from "../session/session-guard.ts";
import { isPerformed, isReversed, performStep, reverseStep } from "./perform-step.ts";
import { planCheckpoints, planRuns, planServices, planSnapshots, planTrees } from "./plan-records.ts";
import { type LeftBehind, type MovedSession, planMemory, planSessions } from "./plan-sessions.ts";
import { underLocks } from "./under-locks.ts";

/** Everything that a rehome does; `--dry-run` prints exactly this. */
export interface RehomePlan {
  readonly move: Relocation;
  readonly sessions: readonly MovedSession[];
  readonly moves: readonly Relocation[];
  readonly steps: readonly RehomeStep[];
  readonly left: readonly LeftBehind[];
}

export interface RehomeResult {
  readonly plan: RehomePlan;
  readonly number: number;
}

export function planRehome(environment: Environment, move: Relocation): RehomePlan {
  const sessions = planSessions(environment, move);
  const moves = [...sessions.moves, move];
  const memory = planMemory(environment, move, [...sessions.sessions, ...sessions.stuck]);
  const parts = [
    sessions,
    planSnapshots(environment, moves, sessions.stuck),
    planTrees(environment, move),
    memory,
    planCheckpoints(environment, moves, memory.steps),
    planRuns(environment, move, moves),
    planServices(environment, move),
  ];
  const steps = parts.flatMap((part) => part.steps);
  return { move, sessions: sessions.sessions, moves, steps, left: parts.flatMap((part) => part.left) };
}

/** Brings everything that belongs to the old path to the new one. Records the steps first; a failed step takes all back. */
export function rehome(environment: Environment, move: Relocation): Promise<RehomeResult> {
  const { paths, now } = environment;
  return exclusively(environment, async () => {
    await completeUnfinished(environment);
    const plan = planRehome(environment, move);
    refuseNothing(environment, plan);
    refuseHeld(environment, plan.steps);
    const number = nextRehomeNumber(paths);
    const { moves, steps } = plan;
    const record: RehomeRecord = { version: 1, number, time: now(), move, state: "started", moves, steps };
    writeRehomeRecord(paths, record);
    await performOrTakeBack(environment, record);
    return { plan, number };
  });
}

/** Reverses a rehome, also one that was interrupted. */
export function undoRehome(environment: Environment, number: number): Promise<RehomeRecord> {
  return exclusively(environment, async () => {
    const record = listRehomeRecords(environment.paths).find((each) => each.number === number);
    if (record === undefined || record.state === "undone") throw new Failure("not-found", "there is no rehome to undo");
    refuseHeld(environment, record.steps);
    refuseTaken(record);
    await reverse(environment, record);
    return record;
  });
}

/** The newest rehome to or from exactly this directory that can be reversed: one of a whole home is not reversed from a project in it. */
export function lastRehomeHere({ paths }: Environment, directory: string): RehomeRecord | undefined {
  const here = resolveLinks(directory);
  return listRehomeRecords(paths).find(
    ({ state, move }) => state !== "undone" && (move.to === here || move.from === here),
  );
}

/** Those that a kill or a power cut interrupted. */
export const unfinishedRehomes = ({ paths }: Environment): RehomeRecord[] =>
  listRehomeRecords(paths).filter(({ state }) => state === "started" || state === "undoing");

function exclusively<Result>({ paths }: Environment, body: () => Promise<Result>): Promise<Result> {
  makeDirectory(paths.locks);
  const message = "another rehome is at work";
  return withLockOrFail(paths.rehomeLock, body, { waitMilliseconds: 1_000, message });
}

async function completeUnfinished(environment: Environment): Promise<void> {
  for (const record of unfinishedRehomes(environment)) {
    refuseHeld(environment, record.steps);
    try {
      await (record.state === "started" ? perform(environment, record) : reverse(environment, record));
    } catch (error) {
      const { from, to } = record.move;
      throw new Failure(
        "failed",
        `the interrupted rehome of ${from} to ${to} cannot be completed: ${messageOf(error)}`,
        {
          hint: "Remove what is in the way, or run session-snapshot undo in the new directory.",
          cause: error,
        },
      );
    }
  }
}

async function performOrTakeBack(environment: Environment, record: RehomeRecord): Promise<void> {
  try {
    await perform(environment, record);
  } catch (error) {
    const reason = messageOf(error);
    try {
      await reverse(environment, record);
    } catch (second) {
      throw new Failure("partial", `the rehome stopped halfway: ${reason}; nothing is lost`, {
        hint: `Taking it back failed, too (${messageOf(second)}). To complete it: ${rehomeCommand(record.move)}`,
        cause: error,
      });
    }
    throw new Failure("failed", `nothing was changed: ${reason}`, { cause: error });
  }
}

async function perform(environment: Environment, record: RehomeRecord): Promise<void> {
  const { steps, moves } = record;
  sweepLeftovers(environment, steps);
  await underLocks(environment, steps, (step) => performStep(step, moves));
  verify(steps, (step) => isPerformed(step, moves));
  writeRehomeRecord(environment.paths, { ...record, state: "done" });
}

async function reverse(environment: Environment, record: RehomeRecord): Promise<void> {
  const { steps, moves } = record;
  writeRehomeRecord(environment.paths, { ...record, state: "undoing" });
  sweepLeftovers(environment, steps);
  await underLocks(environment, steps.toReversed(), (step) => reverseStep(step, moves));
  verify(steps, (step) => isReversed(step, moves));
  writeRehomeRecord(environment.paths, { ...record, state: "undone" });
}

/** Removes what a killed attempt left beside the records. */
function sweepLeftovers({ paths, now }: Environment, steps: readonly RehomeStep[]): void {
  const edited = steps.flatMap((step) => (step.kind === "edit" ? [step.path] : []));
  const directories = new Set([`${paths.rehomed}/any`, ...edited].map(parentOf));
  for (const directory of directories) sweepBeside(`${directory}/any`, now());
}

function verify(steps: readonly RehomeStep[], isDone: (step: RehomeStep) => boolean): void {
  const failed = steps.find((step) => !isDone(step));
  if (failed === undefined) return;
  const path = failed.kind === "move" ? failed.to : failed.path;
  throw new Failure("corrupt", `${path} is not as it should be after the move`);
}

function refuseNothing({ cwd }: Environment, { move, steps, left }: RehomePlan): void {
  if (steps.length > 0) return;
  const [first] = left;
  const why = first ? `${first.path} stays: ${first.why}` : undefined;
  const hint = why ?? `session-snapshot status lists the known projects. This directory is ${cwd}.`;
  throw new Failure("not-found", `nothing of ${move.from} can move to ${move.to}`, { hint });
}

/** A conversation that a process has open would be written at the old place again. */
function refuseHeld(environment: Environment, steps: readonly RehomeStep[]): void {
  const findHolder = holderFinder(environment);
  const runs = runPathsOf(environment);
  const hosts = new HostRecords(runs.root);
  for (const { owner, ...step } of steps) {
    if (owner.kind === "session") {
      const holder = findHolder(owner.id, step.kind === "move" ? step.from : undefined);
      if (holder) throw held(nameHolder(holder), `session ${owner.id}`);
    }
    const run = owner.kind === "run" ? readIfWhole(runs, owner.id) : undefined;
    if (run && isHeld(run)) throw held(`run ${run.plan.id}`, "its conversation");
    const host = owner.kind === "host" ? hosts.read(owner.id) : undefined;
    if (host && isHosted(host)) throw held(`host ${host.plan.id}`, "its conversation");
  }
}

const held = (holder: string, what: string): Failure =>
  new Failure("locked", `${holder} has ${what} open; nothing was changed`, { hint: "End it first, then try again." });

/** What is at the old place now would be in the way; a link of ours is not. */
function refuseTaken({ steps }: RehomeRecord): void {
  const links = new Set(steps.flatMap((step) => (step.kind === "link" ? [step.path] : [])));
  for (const step of steps) {
    if (step.kind !== "move" || links.has(step.from) || identityAt(step.to) === undefined) continue;
    if (identityAt(step.from) === undefined) continue;
    throw new Failure("failed", `${step.from} exists again, so the rehome cannot be undone; nothing was changed`);
  }
}
