import { leaseSeconds } from "../../../core/hub/lease.ts";
import { compareSince, type ReplicationState, withSeen } from "../../../core/hub/replication-state.ts";
import { messageOf } from "../../../core/message-of.ts";
import { HubFailure } from "../../../hub/connection.ts";
import { markSeen, releaseLeases, renewLeases } from "../../../hub/subjects.ts";
import { readReplicationState, writeReplicationState } from "../../../store/hub/hub-files.ts";
import type { Environment } from "../../environment.ts";
import { logProblem } from "../../program-log.ts";
import type { HolderFinder } from "../../session/find-holder.ts";
import { findHolders, listLocalSubjects, type LocalSubject } from "./local-subjects.ts";
import type { Hub } from "../open-hub.ts";
import { replicate, type Replicated } from "./replicate.ts";
import { FileSources } from "./sources.ts";

export interface PassReport {
  readonly sent: number;
  readonly bytes: number;
  readonly diverged: string[];
  /** One sentence for each subject that could not be sent; the others were. */
  readonly problems: string[];
}

/** Replicates what has changed, pass after pass. Remembers between passes what it has compared. */
export class Replication {
  readonly #environment: Environment;
  readonly #sources = new FileSources();
  readonly #compared = new Map<string, { readonly fingerprint: string; readonly problem: string | undefined }>();
  readonly #live = new Set<string>();
  #since: number | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Whether a session or run is in use here: then the replicator stays, and renews its lease. */
  get hasLive(): boolean {
    return this.#live.size > 0;
  }

  /** Throws a HubFailure when the hub cannot be reached; a later pass continues. */
  async pass(hub: Hub): Promise<PassReport> {
    const { paths, now } = this.#environment;
    const started = now();
    this.#since ??= compareSince(readReplicationState(paths, hub.config.hub), started);
    const holder = findHolders(this.#environment);
    const wasLive = [...this.#live];
    this.#live.clear();
    const report = { sent: 0, bytes: 0, diverged: [] as string[], problems: [] as string[] };
    const results = new Map<string, Replicated>();
    let isComplete = true;
    const all = listLocalSubjects(this.#environment, this.#since);
    for (const local of all) {
      const liveId = local.liveId(holder);
      if (liveId !== undefined) this.#live.add(liveId);
      const compared = this.#compared.get(local.key);
      if (compared?.fingerprint === local.fingerprint) {
        // What failed is tried again when it has changed, and reported until then.
        if (compared.problem !== undefined) report.problems.push(compared.problem);
        continue;
      }
      const { result, problem } = await this.#attempt(hub, local, holder);
      if (problem !== undefined) report.problems.push(problem);
      if (result?.state === "later") isComplete = false;
      else this.#compared.set(local.key, { fingerprint: local.fingerprint, problem });
      if (result) results.set(local.sessionId ?? local.key, result);
      if (result?.state === "sent") {
        report.sent += 1;
        report.bytes += result.bytes;
      }
      if (result?.state === "diverged" && local.sessionId !== undefined) report.diverged.push(local.sessionId);
    }
    await releaseLeases(
      hub.connection,
      wasLive.filter((id) => !this.#live.has(id)),
      hub.config.machine,
    );
    // Read again: a fetch may have changed the notes meanwhile.
    const latest = readReplicationState(paths, hub.config.hub);
    const through = isComplete && report.problems.length === 0 ? started : latest.through;
    const after = {
      ...noteResults(latest, results, started),
      through,
      reached: now(),
      problem: report.problems[0] ?? null,
    };
    const isNews = !Bun.deepEquals({ ...after, through: 0, reached: 0 }, { ...latest, through: 0, reached: 0 });
    // `status` takes what is newer than the note for not replicated.
    if (isNews || latest.through === 0 || all.some(({ changed }) => changed > latest.through)) {
      writeReplicationState(paths, after);
    }
    return report;
  }

  async #attempt(
    hub: Hub,
    local: LocalSubject,
    holder: HolderFinder,
  ): Promise<{ readonly result?: Replicated | undefined; readonly problem?: string | undefined }> {
    try {
      const subject = local.open(hub.config.machine, this.#sources, holder);
      return { result: subject && (await replicate(hub, subject)) };
    } catch (error) {
      if (error instanceof HubFailure) throw error;
      const problem = `${local.key}: ${messageOf(error)}`;
      logProblem(this.#environment, `hub: ${problem}`);
      return { problem };
    }
  }

  /** Keeps the leases of the sessions and runs that are in use here. */
  async renew({ connection, config }: Hub): Promise<void> {
    await renewLeases(connection, [...this.#live], config.machine, leaseSeconds);
    await markSeen(connection, config.machine);
  }
}

/** By session id, or by key for what is no session. */
function noteResults(
  state: ReplicationState,
  results: ReadonlyMap<string, Replicated>,
  time: number,
): ReplicationState {
  const diverged = { ...state.diverged };
  let { seen } = state;
  for (const [id, result] of results) {
    if (result.state === "sent") seen = withSeen(seen, result.id, result.seq);
    if (result.state === "diverged") diverged[id] ??= { since: time, holder: result.holder };
    else delete diverged[id];
  }
  return { ...state, diverged, seen };
}
