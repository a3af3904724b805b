import { type LoginRecord, loginSlug, parseLoginRecord, planLogin } from "../../core/service/login-plan.ts";
import type { ServicePlan } from "../../core/service/service-options.ts";
import { servicePaths } from "../../core/service/service-paths.ts";
import { planRemoval } from "../../core/service/service-plan.ts";
import { makeDirectory, removeFile } from "../../io/durable/durable.ts";
import { fileFacts } from "../../io/files/read-file.ts";
import { readOwnText } from "../../io/files/read-own-file.ts";
import { systemName } from "../../io/system.ts";
import { tryLock } from "../../store/lock.ts";
import { forgetBoot, readBoot } from "../../store/runs/boot-record.ts";
import { readServiceLog } from "../../store/services/service-log.ts";
import type { Environment } from "../environment.ts";
import { runPathsOf } from "../run-records/register-run.ts";
import { Installation, isInPlace, type PlannedInstall } from "../service/carry-out-plan.ts";
import { type Removed, removeInstalled } from "../service/remove-installed.ts";
import { tryCommand } from "../service/service-commands.ts";
import { withServiceLock } from "../service/service-lock.ts";
import { loginOptions, servicePlaces } from "../service/service-request.ts";
import { removeEmptyDirectoriesOf } from "../service/service-traces.ts";
import { skipThisBoot } from "./after-boot.ts";

/** What the installation of the start at login would do. `variables`: `NAME=value` or `NAME`, for the runs that it continues. */
export const planAtLogin = (environment: Environment, variables: readonly string[]): ServicePlan =>
  planLogin(loginOptions(environment, variables));

/** Undefined when it is not installed. Of a damaged record, the names of the files are known, but not what is in them. */
export function readAtLogin(environment: Environment): LoginRecord | undefined {
  const { record, wrapper, unit } = pathsOf(environment);
  const text = readOwnText(record);
  if (text === undefined) return undefined;
  const files = [wrapper, unit].map((path) => ({ path, hash: "" }));
  return parseLoginRecord(text) ?? { version: 1, kind: "at-login", slug: loginSlug, system: systemName, files };
}

const pathsOf = (environment: Environment) => servicePaths(systemName, loginSlug, servicePlaces(environment));

/** Carries out the plan. No changes: it was installed already and whole. */
export function installAtLogin(environment: Environment, variables: readonly string[]): Promise<Removed> {
  const plan = planAtLogin(environment, variables);
  return withServiceLock(runPathsOf(environment), loginSlug, async () => {
    const before = readAtLogin(environment);
    // The last command asks the system whether it has it.
    const question = plan.commands.at(-1) ?? [];
    if (before && isInPlace(plan) && (await tryCommand(environment, question)) === undefined) {
      return { changes: countBoot(environment), kept: [] };
    }
    const installation = new Installation(environment, plannedInstall(environment, plan, before));
    await installation.run();
    return installation;
  });
}

/** A killed install may have left everything but the record of the present boot. */
function countBoot(environment: Environment): string[] {
  const paths = runPathsOf(environment);
  return readBoot(paths) === undefined && skipThisBoot(environment) ? [`write ${paths.boot}`] : [];
}

function plannedInstall(
  environment: Environment,
  plan: ServicePlan,
  before: LoginRecord | undefined,
): PlannedInstall<void> {
  const record = parseLoginRecord(plan.files[0]?.content ?? "");
  if (!record) throw new Error("the first file of a plan must be the record");
  const paths = runPathsOf(environment);
  return {
    what: "the start at login",
    slug: loginSlug,
    plan,
    before,
    removal: planRemoval(record, servicePlaces(environment)),
    prepare() {
      // The first recovery follows the next boot: launchd starts the program at once, too.
      if (!skipThisBoot(environment)) return undefined;
      return { change: `write ${paths.boot}`, undo: () => void forgetBoot(paths) };
    },
    verify: async () => {},
    explain: () => readServiceLog(pathsOf(environment).log, 1)[0]?.replace(/^\S+ /, "") ?? null,
    removeTraces: () => void removeTraces(environment),
    removeEmptyDirectories: () => removeEmptyDirectoriesOf(environment, record),
  };
}

/** What it has continued stays. Without a record, a recovery that the user called has left only its own files. */
export async function removeAtLogin(environment: Environment, dryRun: boolean): Promise<Removed> {
  const record = readAtLogin(environment);
  const { record: path } = pathsOf(environment);
  if (dryRun) {
    const stop = record ? planRemoval(record, servicePlaces(environment)).stop : [];
    const written = record ? [...record.files.map((file) => file.path), path] : [];
    const removals = [...written, ...tracesOf(environment)].filter((each) => fileFacts(each) !== undefined);
    const changes = [...stop.map((command) => `run ${command.join(" ")}`), ...removals.map((each) => `remove ${each}`)];
    return { changes, kept: [] };
  }
  if (!record) {
    const changes = removeTraces(environment);
    if (changes.length > 0) removeEmptyDirectoriesOf(environment, { system: systemName, slug: loginSlug, files: [] });
    return { changes, kept: [] };
  }
  return withServiceLock(runPathsOf(environment), loginSlug, () =>
    removeInstalled(environment, record, {
      what: "the start at login",
      hasEnded: () => recoveryHasEnded(environment),
      removeTraces: () => removeTraces(environment),
    }),
  );
}

/** A recovery holds this lock while it lives. When it has ended, this also removes the lock file. */
export function recoveryHasEnded(environment: Environment): boolean {
  const paths = runPathsOf(environment);
  makeDirectory(paths.locks);
  const lock = tryLock(paths.lock("boot"));
  lock?.discard();
  return lock !== undefined;
}

function tracesOf(environment: Environment): string[] {
  const { log } = pathsOf(environment);
  return [log, `${log}.old`, runPathsOf(environment).boot];
}

const removeTraces = (environment: Environment): string[] =>
  tracesOf(environment)
    .filter(removeFile)
    .map((path) => `remove ${path}`);
