import { leaseSeconds } from "../../../core/hub/lease.ts";
import { compareSince, type ReplicationState, withSeen } from "../../../core/hub/replication-state.ts";
import { messageOf } from "../../../core/message-of.ts";
import { HubFailure } from "../../../hub/connection.ts";
import { markSeen, releaseLeases, renewLeases } from "../../../hub/subjects.ts";
import { readReplicationState, writeReplicationState } from "../../../store/hub/hub-files.ts";
import type { Environment } from "../../environment.ts";
import { logProblem } from "../../program-log.ts";
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
  readonly #compared = new Map<string, string>();
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
    const before = readReplicationState(paths, hub.config.hub);
    this.#since ??= compareSince(before, started);
    const holder = findHolders(this.#environment);
    const wasLive = [...this.#live];
    this.#live.clear();
    const report = { sent: 0, bytes: 0, diverged: [] as string[], problems: [] as string[] };
    const diverged: Record<string, ReplicationState["diverged"][string]> = { ...before.diverged };
    let { seen } = before;
    let isComplete = true;
    const all = listLocalSubjects(this.#environment, this.#since);
    for (const local of all) {
      const { sessionId } = local;
      const liveId = local.liveId(holder);
      if (liveId !== undefined) this.#live.add(liveId);
      if (this.#compared.get(local.key) === local.fingerprint) continue;
      const result = await this.#attempt(hub, local, holder, report.problems);
      if (result?.state === "later") isComplete = false;
      else this.#compared.set(local.key, local.fingerprint);
      if (result?.state === "sent") {
        seen = withSeen(seen, result.id, result.seq);
        report.sent += 1;
        report.bytes += result.bytes;
      }
      if (sessionId === undefined || result === undefined) continue;
      if (result.state === "diverged") {
        report.diverged.push(sessionId);
        diverged[sessionId] ??= { since: started, holder: result.holder };
      } else delete diverged[sessionId];
    }
    await releaseLeases(
      hub.connection,
      wasLive.filter((id) => !this.#live.has(id)),
      hub.config.machine,
    );
    const through = isComplete && report.problems.length === 0 ? started : before.through;
    const problem = report.problems[0] ?? null;
    const after: ReplicationState = { ...before, through, reached: now(), problem, diverged, seen };
    const isNews = report.sent > 0 || problem !== before.problem || !Bun.deepEquals(diverged, before.diverged);
    // `status` takes what is newer than the note for not replicated.
    if (isNews || before.through === 0 || all.some(({ changed }) => changed > before.through)) {
      writeReplicationState(paths, after);
    }
    return report;
  }

  async #attempt(
    hub: Hub,
    local: LocalSubject,
    holder: ReturnType<typeof findHolders>,
    problems: string[],
  ): Promise<Replicated | undefined> {
    try {
      const subject = local.open(hub.config.machine, this.#sources, holder);
      return subject && (await replicate(hub, subject));
    } catch (error) {
      if (error instanceof HubFailure) throw error;
      problems.push(`${local.key}: ${messageOf(error)}`);
      logProblem(this.#environment, `hub: ${local.key}: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** Keeps the leases of the sessions and runs that are in use here. */
  async renew({ connection, config }: Hub): Promise<void> {
    await renewLeases(connection, [...this.#live], config.machine, leaseSeconds);
    await markSeen(connection, config.machine);
  }
}
