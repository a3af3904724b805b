import { grantOf, unfitFlag } from "../../claude/argv/fleet-flags.ts";
import { Failure } from "../../core/failure.ts";
import { fleetKillMs } from "../../core/fleet/fleet-lease.ts";
import { branchOf, type FleetOutcome, type FleetTask, patchBinding } from "../../core/fleet/fleet-run.ts";
import { type Settlement, settleRun, settleUnstarted } from "../../core/fleet/settle-run.ts";
import { messageOf } from "../../core/message-of.ts";
import { HubFailure } from "../../hub/connection.ts";
import {
  finishFleetRun,
  type FleetRow,
  type Held,
  noteFleetBase,
  readFleetRun,
  releaseFleetRun,
} from "../../hub/fleet-runs.ts";
import type { RunRecord } from "../../core/run/run-record.ts";
import { endProcess } from "../../io/process/end-process.ts";
import type { HeldChild } from "../../io/process/held-child.ts";
import { readIfWhole } from "../../store/runs/run-registry.ts";
import type { Environment } from "../environment.ts";
import type { Hub } from "../hub/open-hub.ts";
import { replicateRun } from "../hub/replicate/replicate-run.ts";
import { logProblem } from "../program-log.ts";
import { readSettled } from "../run-records/find-run.ts";
import { runPathsOf } from "../run-records/register-run.ts";
import { bringFleetRun } from "./bring-run.ts";
import { FileKeeper } from "./file-keeper.ts";
import { readReport, startSupervisor, type SupervisorReport } from "./fleet-child.ts";
import { FleetWorkspace, type Produced } from "./fleet-workspace.ts";
import type { HubLink } from "./hub-link.ts";
import { openTask, sealOutcome } from "./sealed.ts";
import { forgetLocally } from "./sweep-worktrees.ts";
import type { WorkerAccount } from "./worker-account.ts";
import { mayDo, type WorkerOptions } from "./worker-options.ts";

export interface WorkerContext {
  readonly environment: Environment;
  readonly link: HubLink;
  readonly options: WorkerOptions;
  readonly account: WorkerAccount;
  readonly worker: string;
  readonly name: string;
  readonly say: (text: string) => void;
}

/** `taken`: another worker has it, or may have it by now. `ending`: this worker ends. */
type WhyGivenUp = "stopped" | "taken" | "ending";

/** One run on this worker: brings it here, supervises it, and gives it back or records its end. */
export class WorkerRun {
  readonly id: string;
  readonly #context: WorkerContext;
  readonly #row: FleetRow;
  readonly #held: Held;
  readonly #givenUp = new AbortController();
  #why: WhyGivenUp | undefined;
  #child: HeldChild | undefined;
  #killing: Promise<void> | undefined;

  constructor(context: WorkerContext, row: FleetRow) {
    this.#context = context;
    this.#row = row;
    this.id = row.id;
    this.#held = { id: row.id, fence: row.fence, worker: context.worker };
  }

  /** Ends its claude. What becomes of the run is decided in `work`. */
  giveUp(why: WhyGivenUp): void {
    // A worker that ends still owns its runs; a run that is lost stays lost.
    if (this.#why !== undefined && this.#why !== "ending") return;
    this.#why = why;
    if (why !== "ending") this.#givenUp.abort();
    this.#child?.letGo();
    if (why !== "ending") this.#killing ??= this.#kill();
  }

  /** Everything from the claim on. Never throws. */
  async work(): Promise<void> {
    const { environment, say } = this.#context;
    try {
      await this.#attempt();
    } catch (error) {
      const why = messageOf(error);
      logProblem(environment, `fleet: run ${this.id}: ${why}`);
      say(`run ${this.id}: ${why}`);
      await this.#settleUnstarted(why, !(error instanceof HubFailure)).catch((problem: unknown) => {
        // Its lease ends, and another worker takes it.
        logProblem(environment, `fleet: run ${this.id}: ${messageOf(problem)}`);
      });
    }
  }

  async #attempt(): Promise<void> {
    const { environment, link, options, say } = this.#context;
    const task = await link.use(async ({ sealer }) => openTask(sealer, this.#row));
    this.#check(task);
    const workspace = new FleetWorkspace(environment, this.id, task.repo);
    const noteBase = (sealed: Uint8Array): Promise<boolean> =>
      link.use(({ connection }) => noteFleetBase(connection, this.#held, sealed));
    const { base, how } = await link.insist(
      (hub) => bringFleetRun(environment, hub, { row: this.#row, task, workspace, noteBase }),
      this.#givenUp.signal,
    );
    say(`run ${this.id}: ${how === "new" ? "starts" : "continues"}: ${task.task.split("\n")[0]?.slice(0, 100)}`);
    const report = await this.#supervise(workspace);
    if (this.#givenUp.signal.aborted) return this.#leave(workspace);
    const record = readSettled(runPathsOf(environment), this.id);
    await this.#replicate(record);
    await link.insist((hub) => this.#context.account.tell(hub), this.#givenUp.signal);
    const settlement = this.#settlement(record);
    const produced = settlement.kind === "finish" ? await this.#produce(workspace, base, task) : undefined;
    const isPushed = options.push && task.repo !== null && (await this.#push(workspace, produced));
    const outcome = this.#outcome(record, report, { base, produced, isPushed });
    await this.#record(settlement, outcome, produced?.patch ?? null);
    if (settlement.kind === "finish") await this.#clean(workspace);
    say(`run ${this.id}: ${describe(settlement, record)}`);
  }

  /** The database cannot be trusted with what a run may do: the task itself says it. */
  #check({ flags, task }: Pick<FleetTask, "flags" | "task">): void {
    const unfit = unfitFlag(flags);
    if (unfit !== undefined) throw new Failure("usage", `the run has ${unfit}, which a worker does not accept`);
    if (!mayDo(this.#context.options, grantOf(flags))) {
      throw new Failure("usage", `the run wants ${grantOf(flags)}, and this worker grants less`);
    }
    if (task.trim() === "") throw new Failure("usage", "the run has no task");
  }

  async #supervise({ directory }: FleetWorkspace): Promise<SupervisorReport> {
    const { environment } = this.#context;
    if (this.#why !== undefined) return { answer: null, message: null };
    const record = readSettled(runPathsOf(environment), this.id);
    // A worker died between the end of the work and its record in the hub.
    if (record.status.phase === "done") return { answer: null, message: null };
    // The record may come from another machine, and it is what starts claude.
    this.#check(record.plan);
    await using _files = new FileKeeper(environment, record.plan.sessionId, directory);
    this.#child = startSupervisor(environment, this.id, directory);
    const text = await this.#child.output;
    await this.#killing;
    // A supervisor that was killed leaves its claude.
    const child = readIfWhole(runPathsOf(environment), this.id)?.status.child;
    if (child) await endProcess(child, fleetKillMs);
    return readReport(text);
  }

  /** The supervisor has some time to end claude; then both are killed. */
  async #kill(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const ended = await Promise.race([child.output.then(() => true), Bun.sleep(fleetKillMs).then(() => false)]);
    if (ended) return;
    const left = readIfWhole(runPathsOf(this.#context.environment), this.id)?.status.child;
    if (left) await endProcess(left, 0);
    child.kill();
  }

  #settlement({ status }: RunRecord): Settlement {
    const { phase, cause, until } = status;
    const resetsInMs = until === null ? null : until - this.#context.environment.now();
    // A supervisor that was killed leaves a phase in which it worked.
    const isEnded = ["done", "stopped", "failed", "paused"].includes(phase);
    const settled = isEnded ? { phase, cause } : ({ phase: "failed", cause: "crash" } as const);
    return settleRun({ ...settled, resetsInMs, failures: this.#row.failures });
  }

  async #replicate({ plan }: RunRecord): Promise<void> {
    const { environment, link } = this.#context;
    const run = { id: this.id, sessionId: plan.sessionId, directory: plan.cwd };
    await link.insist((hub) => replicateRun(environment, hub, run), this.#givenUp.signal);
  }

  async #produce(workspace: FleetWorkspace, base: string, { task }: FleetTask): Promise<Produced> {
    const title = task.split("\n")[0]?.trim().slice(0, 72) ?? "";
    return workspace.produce(base, `${title}\n\nai-runtime run ${this.id}`);
  }

  async #push(workspace: FleetWorkspace, produced: Produced | undefined): Promise<boolean> {
    if (!produced?.commit) return false;
    try {
      await workspace.push(produced.commit);
      return true;
    } catch (error) {
      // The patch is in the hub.
      this.#context.say(`run ${this.id}: its branch stays here: ${messageOf(error)}`);
      return false;
    }
  }

  #outcome(
    { status }: RunRecord,
    { answer, message }: SupervisorReport,
    { base, produced, isPushed }: { base: string; produced: Produced | undefined; isPushed: boolean },
  ): FleetOutcome {
    const commit = produced?.commit ?? null;
    return {
      version: 1,
      why: status.phase === "done" ? null : (message ?? status.cause),
      answer,
      worker: this.#context.name,
      account: this.#context.account.name,
      branch: commit === null ? null : branchOf(this.id),
      commit,
      base,
      isPushed,
      costUsd: status.costUsd,
    };
  }

  async #record(settlement: Settlement, outcome: FleetOutcome, patch: Buffer | null): Promise<void> {
    const { link, account } = this.#context;
    const write = async ({ connection, sealer }: Hub): Promise<boolean> => {
      const sealed = sealOutcome(sealer, this.id, this.#row.fence, outcome);
      if (settlement.kind === "finish") {
        const sealedPatch = patch && sealer.seal(patch, patchBinding(this.id));
        return finishFleetRun(connection, this.#held, { ...settlement, outcome: sealed, patch: sealedPatch });
      }
      const waitsFor = settlement.ofAccount ? account.tag(sealer) : null;
      return releaseFleetRun(connection, this.#held, { ...settlement, waitsFor, outcome: sealed });
    };
    if (await link.insist(write, this.#givenUp.signal)) return;
    // The answer to an earlier try may have been lost: then this is what it wrote.
    const now = await link.use(({ connection }) => readFleetRun(connection, this.id));
    if (now?.fence === this.#row.fence && now.state === settlement.state) return;
    throw new Failure("locked", "another worker has the run by now");
  }

  async #settleUnstarted(why: string, isOfRun: boolean): Promise<void> {
    if (this.#givenUp.signal.aborted) return;
    const settlement = settleUnstarted(this.#row.failures, isOfRun && this.#why !== "ending");
    const outcome: FleetOutcome = {
      version: 1,
      why,
      answer: null,
      worker: this.#context.name,
      account: this.#context.account.name,
      branch: null,
      commit: null,
      base: null,
      isPushed: false,
      costUsd: 0,
    };
    await this.#record(settlement, outcome, null);
  }

  /** Another worker has it, or the user has stopped it. */
  async #leave(workspace: FleetWorkspace): Promise<void> {
    const { environment, link, say } = this.#context;
    const state = await link
      .use(({ connection }) => readFleetRun(connection, this.id))
      .then((row) => row?.state)
      .catch(() => undefined);
    say(`run ${this.id}: ${state === "stopped" ? "stopped" : "given up; another worker continues it"}`);
    const record = readIfWhole(runPathsOf(environment), this.id);
    // What was done here is kept with the conversation; when another machine has it, as a generation.
    if (record) await this.#replicate(record).catch(() => undefined);
    if (state === "stopped") await this.#clean(workspace);
  }

  async #clean(workspace: FleetWorkspace): Promise<void> {
    const { environment, say } = this.#context;
    try {
      await forgetLocally(environment, workspace, this.id);
    } catch (error) {
      // The next sweep tries again.
      say(`run ${this.id}: ${messageOf(error)}`);
    }
  }
}

function describe(settlement: Settlement, { status }: RunRecord): string {
  if (settlement.kind === "finish") return settlement.state;
  const seconds = Math.round(settlement.delayMs / 1000);
  return `released (${status.cause ?? status.phase})${seconds > 0 ? `, may continue in ${seconds} s` : ""}`;
}
