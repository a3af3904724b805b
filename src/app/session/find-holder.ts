import { readLiveFlags } from "../../store/cclaude/pending-flags.ts";
import { readSessionEvents, type SessionEvent } from "../../store/cclaude/session-events.ts";
import { heldSession, HostRecords, isHosted } from "../../store/hosts/host-records.ts";
import { RunPaths, runRoot } from "../../store/runs/run-paths.ts";
import { hasLiveChild, isHeld, listActiveIds, readIfWhole } from "../../store/runs/run-registry.ts";
import { isSameProcess } from "../../io/process/process.ts";
import { listServiceRecords } from "../../store/services/services.ts";
import type { Environment } from "../environment.ts";
import { findLiveClaude } from "./live-session.ts";

/** What has a conversation open. `ai-runtime attach` shows the first three by their id. */
export type Holder =
  | { readonly kind: "host" | "service" | "run"; readonly id: string }
  | { readonly kind: "claude" | "cclaude"; readonly pid: number };

export type HolderFinder = (sessionId: string, transcriptPath: string | undefined) => Holder | undefined;

/**
 * What else has this conversation open; undefined when nothing is known to. Two claudes on one conversation write two
 * branches, and the next resume sees only one of them.
 */
export const findHolder = (
  environment: Environment,
  sessionId: string,
  transcriptPath: string | undefined,
): Holder | undefined => holderFinder(environment)(sessionId, transcriptPath);

/** Reads our own records once, for callers that ask about many sessions. */
export function holderFinder(environment: Environment): HolderFinder {
  const paths = new RunPaths(runRoot(environment.variables, environment.home));
  // Of several holders, a host counts first, because it can be attached to.
  const known = new Map([...listCclaudes(environment), ...listRuns(paths), ...listHosts(paths)]);
  return (sessionId, transcriptPath) => {
    const ours = known.get(sessionId);
    if (ours && ours.kind !== "cclaude") return ours;
    const pid = findLiveClaude(environment, sessionId, transcriptPath);
    return pid === undefined ? ours : { kind: "claude", pid };
  };
}

type Held = readonly [sessionId: string, holder: Holder];

/** A host and the cclaude that it runs are one holder, and so are a supervisor and a cclaude that it starts as its claude. */
const isOurs = (pid: number | undefined): boolean => pid === process.pid || pid === process.ppid;

function listHosts(paths: RunPaths): Held[] {
  const services = new Set(listServiceRecords(paths.services).map(({ slug }) => slug));
  return new HostRecords(paths.root).all().flatMap((record): Held[] => {
    const { id } = record.plan;
    const sessionId = heldSession(record);
    if (sessionId === null || !isHosted(record)) return [];
    if (isOurs(record.running?.host.pid) || isOurs(record.running?.program?.pid)) return [];
    return [[sessionId, { kind: services.has(id) ? "service" : "host", id }]];
  });
}

/** Also while it waits for a limit and no claude runs: it resumes the conversation. */
function listRuns(paths: RunPaths): Held[] {
  return listActiveIds(paths).flatMap((id): Held[] => {
    const run = readIfWhole(paths, id);
    if (!run || isOurs(run.status.supervisor?.pid)) return [];
    // Its claude may have outlived it. The other lists have only cclaudes that live.
    if (run.plan.cclaude) {
      const sessionId = lastSession(paths.sessionEvents(id)) ?? run.plan.sessionId;
      const holder = [run.status.supervisor, run.status.child].find((each) => each !== null && isSameProcess(each));
      return holder && sessionId !== "" ? [[sessionId, { kind: "cclaude", pid: holder.pid }]] : [];
    }
    if (run.plan.kind !== "headless") return [];
    return isHeld(run) || hasLiveChild(run) ? [[run.plan.sessionId, { kind: "run", id }]] : [];
  });
}

/** Claude before 2.1.112 has no list of its processes, so the records of the cclaude around it count. */
function listCclaudes({ paths }: Environment): Held[] {
  return readLiveFlags(paths).flatMap((flags): Held[] => {
    const sessionId = lastSession(flags.events) ?? flags.sessionId;
    const { pid } = flags.process;
    return sessionId === null || isOurs(pid) ? [] : [[sessionId, { kind: "cclaude", pid }]];
  });
}

/** The session that hooks reported last, unless it has ended: a claude that Claude itself started reports here too. */
function lastSession(eventsDirectory: string | undefined): string | undefined {
  if (eventsDirectory === undefined) return undefined;
  const events = readSessionEvents(eventsDirectory);
  const hasEnded = ({ sessionId, time }: SessionEvent): boolean =>
    events.some((other) => other.kind === "end" && other.sessionId === sessionId && other.time >= time);
  return events.findLast((event) => event.kind === "session" && !hasEnded(event))?.sessionId;
}
