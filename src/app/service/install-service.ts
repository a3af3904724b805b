import { Failure } from "../../core/failure.ts";
import { planRemoval, planService } from "../../core/service/service-plan.ts";
import { parseServiceRecord, type ServiceRecord } from "../../core/service/service-record.ts";
import type { ServicePlan } from "../../core/service/service-options.ts";
import { removeFile } from "../../io/durable/durable.ts";
import { fileMode, readText } from "../../io/files/read-file.ts";
import { readServiceRecord } from "../../store/services/services.ts";
import type { Environment } from "../environment.ts";
import { requireClaude } from "./plan-service.ts";
import { runCommand, tryCommand } from "./service-commands.ts";
import { type DoneStep, writePlanned } from "./service-files.ts";
import { withServiceLock } from "./service-lock.ts";
import { lastLogLine, removeEmptyDirectoriesOf, removeTraces } from "./service-traces.ts";
import { servicePlaces, serviceOptions, type ServiceRequest } from "./service-request.ts";
import { serviceState, type ServiceState } from "./services.ts";
import { runPathsOf } from "../run-records/register-run.ts";
import { messageOf } from "../../core/message-of.ts";

export interface InstalledService {
  readonly slug: string;
  readonly workspace: string;
  /** Empty when the service was already installed and running. */
  readonly changes: readonly string[];
  /** Copies of replaced files. */
  readonly kept: readonly string[];
  readonly notes: readonly string[];
  readonly state: ServiceState;
}

/** Carries out the plan step by step. When a step fails, undoes the earlier steps. */
export async function installService(environment: Environment, request: ServiceRequest): Promise<InstalledService> {
  requireClaude(environment, request);
  const options = serviceOptions(environment, request);
  const { slug, workspace } = options;
  const plan = planService(options);
  const paths = runPathsOf(environment);
  return withServiceLock(paths, slug, async () => {
    const before = readServiceRecord(paths.services, slug);
    if (before && isInPlace(plan)) {
      const state = await serviceState(environment, before);
      if (isUp(state)) return { slug, workspace, changes: [], kept: [], notes: plan.notes, state };
    }
    const installation = new Installation(environment, plan, before);
    const state = await installation.run();
    const { changes, kept } = installation;
    return { slug, workspace, changes, kept, notes: plan.notes, state };
  });
}

const isInPlace = ({ files }: ServicePlan): boolean =>
  files.every(({ path, content, mode }) => readText(path) === content && fileMode(path) === mode);

const isUp = ({ state }: ServiceState): boolean => ["running", "starting", "restarting"].includes(state);

class Installation {
  readonly changes: string[] = [];
  readonly kept: string[] = [];
  readonly #environment: Environment;
  readonly #plan: ServicePlan;
  readonly #before: ServiceRecord | undefined;
  readonly #record: ServiceRecord;
  readonly #done: DoneStep[] = [];
  #commands = 0;

  constructor(environment: Environment, plan: ServicePlan, before: ServiceRecord | undefined) {
    this.#environment = environment;
    this.#plan = plan;
    this.#before = before;
    const record = parseServiceRecord(plan.files[0]?.content ?? "");
    if (!record) throw new Error("the first file of a plan must be the service's record");
    this.#record = record;
  }

  async run(): Promise<ServiceState> {
    try {
      this.#writeFiles();
      // An install resets the count of starts.
      removeFile(`${runPathsOf(this.#environment).services}/${this.#record.slug}.starts`);
      for (const command of this.#plan.commands) {
        this.#commands++;
        await runCommand(this.#environment, command);
        this.changes.push(`run ${command.join(" ")}`);
      }
      return await this.#verify();
    } catch (error) {
      const logLine = this.#commands > 0 && !this.#before ? lastLogLine(this.#environment, this.#record) : null;
      const left = await this.#undo();
      const reason = messageOf(error);
      const message = logLine === null ? reason : `${reason}; its log ends with: ${logLine}`;
      const undone =
        left.length === 0
          ? "All earlier steps were undone."
          : `The earlier steps were undone, except: ${left.join("; ")}`;
      const advice = error instanceof Failure && error.hint !== undefined ? [error.hint] : [];
      throw new Failure("failed", `the service was not installed: ${message}`, {
        hint: [undone, ...advice].join("\n"),
        cause: error,
      });
    }
  }

  #writeFiles(): void {
    const { now } = this.#environment;
    const { services } = runPathsOf(this.#environment);
    const known = new Set((this.#before?.files ?? []).map(({ path, hash }) => `${path}\n${hash}`));
    const recordPath = this.#plan.files[0]?.path;
    const keep = {
      directory: `${services}/replaced/${this.#record.slug}`,
      now: now(),
      isOurs: (path: string, hash: string) =>
        known.has(`${path}\n${hash}`) || (path === recordPath && this.#before !== undefined),
    };
    for (const file of this.#plan.files) {
      const step = writePlanned(file, keep);
      if (!step) continue;
      this.#done.push(step);
      this.changes.push(step.change);
      if (step.kept !== undefined) this.kept.push(step.kept);
    }
  }

  /** A command's exit code 0 does not prove that the service runs, so this asks the system. */
  async #verify(): Promise<ServiceState> {
    const state = await serviceState(this.#environment, this.#record);
    // Without the wrapper, claude may already have finished its work and ended.
    const isFine = isUp(state) || (!this.#record.resume && state.state === "stopped") || state.state === "unknown";
    if (isFine) return state;
    throw new Failure("failed", `its state is "${state.state}" right after the start`);
  }

  /** Returns the steps that could not be undone. */
  async #undo(): Promise<string[]> {
    const left: string[] = [];
    const removal = planRemoval(this.#record, servicePlaces(this.#environment));
    if (this.#commands > 0) for (const command of removal.stop) await tryCommand(this.#environment, command);
    for (const step of this.#done.toReversed()) {
      try {
        step.undo();
      } catch (error) {
        left.push(`${step.change} (${messageOf(error)})`);
      }
    }
    if (!this.#before && this.#commands > 0) removeTraces(this.#environment, this.#record);
    try {
      removeEmptyDirectoriesOf(this.#environment, this.#record);
    } catch {
      // An empty directory is harmless; the caller reports the first error.
    }
    if (this.#commands === 0) return left;
    for (const command of removal.forget) await tryCommand(this.#environment, command);
    // Restarts the previous version of the service.
    for (const command of this.#before ? this.#plan.commands : []) await tryCommand(this.#environment, command);
    return left;
  }
}
