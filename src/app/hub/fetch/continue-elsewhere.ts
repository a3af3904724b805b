import { hasFlag, splitArguments, valueOf } from "../../../claude/argv/flags.ts";
import { isClaudeSessionId } from "../../../claude/paths.ts";
import { Failure } from "../../../core/failure.ts";
import { decideLease } from "../../../core/hub/lease.ts";
import { messageOf } from "../../../core/message-of.ts";
import { findHeads, type Head, readHead } from "../../../hub/subjects.ts";
import { makeDirectory } from "../../../io/durable/durable.ts";
import { resolveLinks } from "../../../io/files/read-file.ts";
import { Incoming } from "../../../store/hub/incoming.ts";
import type { Environment } from "../../environment.ts";
import { logProblem } from "../../program-log.ts";
import { findHolder } from "../../session/find-holder.ts";
import { findTranscript } from "../../session/find-transcript.ts";
import { listConversations } from "../../session/list-conversations.ts";
import { type FetchedFiles, fetchFiles } from "./fetch-files.ts";
import { type Fetched, fetchSession, isWholeHere } from "./fetch-session.ts";
import { listOfProject, placeFor, readLabel } from "./find-in-hub.ts";
import { noteArrival } from "./note-arrival.ts";
import { type Hub, isHubAway, withHub } from "../open-hub.ts";
import { startReplicator } from "../replicate/start-replicator.ts";

export interface Continued extends Fetched {
  /** Files that differ from what this machine had; undefined when the hub has none. */
  readonly files: number | undefined;
  /** Why the files could not be put in place. */
  readonly filesProblem: string | undefined;
}

/** Also said when the hub cannot be asked and this machine has a copy: then the copy is used. */
export type Settled = Continued | { readonly kind: "unreachable"; readonly why: string } | undefined;

/**
 * Before claude opens an existing conversation on a machine with a hub: fetches it when another machine has continued it, and
 * makes this machine its writer. Undefined when there is nothing to say.
 */
export async function settleWithHub(environment: Environment, argv: readonly string[]): Promise<Settled> {
  const segments = splitArguments(argv);
  if (hasFlag(segments, "fork-session")) return undefined;
  const given = valueOf(segments, "resume");
  const isContinue = hasFlag(segments, "continue") && given === undefined;
  if (!isContinue && !(given !== undefined && isClaudeSessionId(given))) return undefined;
  try {
    return await withHub(environment, async (hub) => {
      const head = isContinue ? await newestAnywhere(environment, hub) : await readHead(hub.connection, given ?? "");
      return head && (await continueHere(environment, hub, head));
    });
  } catch (error) {
    const isLocal = isContinue || findTranscript(environment, given ?? "") !== undefined;
    if (!isHubAway(error) || !isLocal) throw error;
    return { kind: "unreachable", why: messageOf(error) };
  }
}

/**
 * What `--continue` opens: the newest conversation of the project on any machine. One that is open on another machine is passed
 * over, unless it is the one that claude would open from this machine's copy.
 */
async function newestAnywhere(environment: Environment, hub: Hub): Promise<Head | undefined> {
  const [newest] = listConversations(environment, environment.cwd);
  const isFree = (head: Head): boolean => decideLease(head, hub.config.machine) === "free";
  const head = (await listOfProject(hub, environment.cwd)).find(isFree);
  if (head && head.updated.getTime() > (newest?.modified ?? 0)) return head;
  return newest && (await readHead(hub.connection, newest.sessionId));
}

async function continueHere(environment: Environment, hub: Hub, head: Head): Promise<Continued | undefined> {
  // Open on this machine: cclaude offers to attach to it.
  if (findHolder(environment, head.id, undefined)) return undefined;
  const label = readLabel(hub, head);
  const here = resolveLinks(environment.cwd);
  const isKnown = findTranscript(environment, head.id) !== undefined;
  const place = isKnown ? here : placeFor(environment, label, here);
  if (place === undefined || (place !== here && !isKnown)) throw elsewhere(head.id, label.cwd, place);
  const continued = await fetchAll(environment, hub, head, place);
  return continued.kind === "current" && !continued.files ? undefined : continued;
}

function elsewhere(id: string, cwd: string | null, place: string | undefined): Failure {
  const where = cwd === null ? "another directory" : cwd;
  if (place !== undefined) {
    return new Failure("usage", `session ${id} belongs to ${place} on this machine`, {
      hint: `Run: cd ${place} && cclaude --resume ${id}`,
    });
  }
  return new Failure("not-found", `session ${id} is from ${where} on another machine, and this is not that project`, {
    hint: `Run this in a checkout of the project, or: ai-runtime hub fetch ${id} --into DIRECTORY`,
  });
}

/** Fetches a session into a directory that the user chose, or into the matching checkout. */
export function fetchInto(environment: Environment, given: string, into: string | undefined): Promise<Continued> {
  return withHub(environment, async (hub) => {
    const [head, ...others] = await findHeads(hub.connection, "session", given, 2);
    if (!head) {
      throw new Failure("not-found", `the hub has no session "${given.slice(0, 60)}"`, {
        hint: "ai-runtime hub list shows the sessions of the hub.",
      });
    }
    if (others.length > 0) throw new Failure("usage", `several sessions of the hub start with "${given.slice(0, 60)}"`);
    if (into !== undefined) makeDirectory(into, { shared: true });
    const place =
      into === undefined ? placeFor(environment, readLabel(hub, head), environment.cwd) : resolveLinks(into);
    if (place === undefined) throw elsewhere(head.id, readLabel(hub, head).cwd, undefined);
    return fetchAll(environment, hub, head, place);
  });
}

/** A session, its files, and the process that renews its lease. */
export async function fetchAll(environment: Environment, hub: Hub, head: Head, directory: string): Promise<Continued> {
  if (isWholeHere(environment, hub, head)) {
    const fetched = await fetchSession(environment, hub, head, { directory, incoming: undefined });
    startReplicator(environment);
    return { ...fetched, files: undefined, filesProblem: undefined };
  }
  const incoming = new Incoming(environment.paths, head.id);
  try {
    const continued = await fetchWithFiles(environment, hub, head, { directory, incoming });
    incoming.remove();
    return continued;
  } catch (error) {
    // Nothing is in place yet, unless this continues a fetch that was killed.
    if (head.holder !== hub.config.machine) incoming.remove();
    throw error;
  }
}

async function fetchWithFiles(
  environment: Environment,
  hub: Hub,
  head: Head,
  to: { readonly directory: string; readonly incoming: Incoming },
): Promise<Continued> {
  const { directory } = to;
  const fetched = await fetchSession(environment, hub, head, to);
  // From now on this machine must renew the lease.
  startReplicator(environment);
  const { workspace } = fetched.label;
  let files: FetchedFiles | undefined;
  let filesProblem: string | undefined;
  if (workspace !== null) {
    try {
      files = await fetchFiles(environment, hub, { workspace, sessionId: head.id, directory });
    } catch (error) {
      filesProblem = messageOf(error);
      logProblem(environment, `hub: files of session ${head.id}: ${filesProblem}`);
    }
  }
  noteArrival(environment, fetched, files);
  return { ...fetched, files: files?.changes, filesProblem };
}
