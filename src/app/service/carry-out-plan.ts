import { Failure } from "../../core/failure.ts";
import type { ServicePlan } from "../../core/service/service-options.ts";
import type { InstalledFiles, RemovalPlan } from "../../core/service/service-plan.ts";
import { fileMode, readText } from "../../io/files/read-file.ts";
import { messageOf } from "../../core/message-of.ts";
import type { Environment } from "../environment.ts";
import { runPathsOf } from "../run-records/register-run.ts";
import { runCommand, tryCommand } from "./service-commands.ts";
import { type DoneStep, writePlanned } from "./service-files.ts";

export const isInPlace = ({ files }: ServicePlan): boolean =>
  files.every(({ path, content, mode }) => readText(path) === content && fileMode(path) === mode);

/** What install carries out, and what differs between a service and the start at login. */
export interface PlannedInstall<State> {
  /** "the service": for the message of a failure. */
  readonly what: string;
  readonly slug: string;
  /** Its first file is the record. */
  readonly plan: ServicePlan;
  /** The installed version; undefined when there is none. */
  readonly before: InstalledFiles | undefined;
  readonly removal: RemovalPlan;
  /** After the files are written and before the first command. */
  prepare(): DoneStep | undefined;
  /** A command's exit code 0 does not prove that it runs. Throws when it does not. */
  verify(): Promise<State>;
  /** A line of the new program's log that explains a failure; null when there is none. */
  explain(): string | null;
  /** Removes what the new program wrote, when nothing was installed before; afterwards, empty directories. */
  removeTraces(): void;
  removeEmptyDirectories(): void;
}

/** Carries out a plan step by step. When a step fails, undoes the earlier steps. */
export class Installation<State> {
  readonly changes: string[] = [];
  readonly kept: string[] = [];
  readonly #environment: Environment;
  readonly #install: PlannedInstall<State>;
  readonly #done: DoneStep[] = [];
  #commands = 0;

  constructor(environment: Environment, install: PlannedInstall<State>) {
    this.#environment = environment;
    this.#install = install;
  }

  async run(): Promise<State> {
    const { what, plan, before } = this.#install;
    try {
      this.#writeFiles();
      const prepared = this.#install.prepare();
      if (prepared) this.#done.push(prepared);
      for (const command of plan.commands) {
        this.#commands++;
        await runCommand(this.#environment, command);
        this.changes.push(`run ${command.join(" ")}`);
      }
      return await this.#install.verify();
    } catch (error) {
      const logLine = this.#commands > 0 && !before ? this.#install.explain() : null;
      const left = await this.#undo();
      const reason = messageOf(error);
      const message = logLine === null ? reason : `${reason}; its log ends with: ${logLine}`;
      const undone =
        left.length === 0
          ? "All earlier steps were undone."
          : `The earlier steps were undone, except: ${left.join("; ")}`;
      const advice = error instanceof Failure && error.hint !== undefined ? [error.hint] : [];
      throw new Failure("failed", `${what} was not installed: ${message}`, {
        hint: [undone, ...advice].join("\n"),
        cause: error,
      });
    }
  }

  #writeFiles(): void {
    const { slug, plan, before } = this.#install;
    const { services } = runPathsOf(this.#environment);
    const known = new Set((before?.files ?? []).map(({ path, hash }) => `${path}\n${hash}`));
    const recordPath = plan.files[0]?.path;
    const keep = {
      directory: `${services}/replaced/${slug}`,
      now: this.#environment.now(),
      isOurs: (path: string, hash: string) =>
        known.has(`${path}\n${hash}`) || (path === recordPath && before !== undefined),
    };
    for (const file of plan.files) {
      const step = writePlanned(file, keep);
      if (!step) continue;
      this.#done.push(step);
      this.changes.push(step.change);
      if (step.kept !== undefined) this.kept.push(step.kept);
    }
  }

  /** Returns the steps that could not be undone. */
  async #undo(): Promise<string[]> {
    const { plan, before, removal } = this.#install;
    const left: string[] = [];
    if (this.#commands > 0) for (const command of removal.stop) await tryCommand(this.#environment, command);
    for (const step of this.#done.toReversed()) {
      try {
        step.undo();
      } catch (error) {
        left.push(`${step.change} (${messageOf(error)})`);
      }
    }
    if (!before && this.#commands > 0) this.#install.removeTraces();
    try {
      this.#install.removeEmptyDirectories();
    } catch {
      // An empty directory is harmless; the caller reports the first error.
    }
    if (this.#commands === 0) return left;
    for (const command of removal.forget) await tryCommand(this.#environment, command);
    // Restarts the previous version.
    for (const command of before ? plan.commands : []) await tryCommand(this.#environment, command);
    return left;
  }
}
