import { flagsOf, splitArguments } from "../../claude/argv/flags.ts";
import { concernsClaude } from "../../claude/environment.ts";
import { absolutePath, isAbsolutePath } from "../../core/absolute-path.ts";
import { parseDuration } from "../../core/duration.ts";
import { Failure } from "../../core/failure.ts";
import { loginSlug } from "../../core/service/login-plan.ts";
import { type EnvironmentFacts, loginEnvironment, serviceEnvironment } from "../../core/service/service-environment.ts";
import type { LoginOptions, ServiceOptions, ServicePlaces, ServiceSystem } from "../../core/service/service-options.ts";
import { servicePaths } from "../../core/service/service-paths.ts";
import { serviceSlug } from "../../core/service/service-slug.ts";
import { fileFacts, isDirectory, parentOf, resolveLinks } from "../../io/files/read-file.ts";
import { systemName, userId, userMask, userName } from "../../io/system.ts";
import { textHash } from "../../io/files/text-hash.ts";
import { stateHome } from "../../store/runs/run-paths.ts";
import type { Environment } from "../environment.ts";
import { findClaude } from "../find-claude.ts";
import { ownExecutable } from "../own-executable.ts";
import type { Variables } from "../../core/variables.ts";

/** The options of `service install`, as given on the command line. */
export interface ServiceRequest {
  readonly workspace?: string | undefined;
  readonly system?: ServiceSystem | undefined;
  readonly claudeArguments: readonly string[];
  readonly resume: boolean;
  readonly restart?: "on-failure" | "always" | undefined;
  readonly restartDelay?: string | undefined;
  readonly burst?: string | undefined;
  readonly watchdog?: string | undefined;
  readonly freshAfter?: string | undefined;
  /** `NAME=value`, or `NAME` to pass on its current value. */
  readonly variables: readonly string[];
}

const dayMs = 86_400_000;

export function servicePlaces({ variables, home }: Environment): ServicePlaces {
  const configHome = variables["XDG_CONFIG_HOME"];
  return {
    home,
    stateHome: stateHome(variables, home),
    configHome: configHome !== undefined && isAbsolutePath(configHome) ? configHome : `${home}/.config`,
    userId: userId(),
    userName: userName(variables),
  };
}

/** Combines the command line with defaults and facts of this machine, for the planner. */
export function serviceOptions(environment: Environment, request: ServiceRequest): ServiceOptions {
  const system = request.system ?? systemName;
  const workspace = workspaceOf(environment, request.workspace, system);
  if (request.resume) refuseUnsupported(request.claudeArguments);
  const slug = serviceSlug(workspace, textHash);
  return {
    ...machineOptions(environment, system, slug, { given: request.variables, environmentOf: serviceEnvironment }),
    workspace,
    claudeArguments: request.claudeArguments,
    resume: request.resume,
    restart: request.restart ?? "on-failure",
    restartDelay: duration("restart-delay", request.restartDelay, { defaultMs: 10_000, minMs: 1_000 }),
    burst: wholeNumber("burst", request.burst ?? "5"),
    watchdog:
      request.watchdog === undefined ? null : duration("watchdog", request.watchdog, { defaultMs: 0, minMs: 1_000 }),
    freshAfter: duration("fresh-after", request.freshAfter, { defaultMs: 7 * dayMs, minMs: 0 }),
  };
}

/** The same for the start at login. `given`: variables, as in a ServiceRequest. */
export const loginOptions = (environment: Environment, given: readonly string[]): LoginOptions =>
  machineOptions(environment, systemName, loginSlug, { given, environmentOf: loginEnvironment });

function machineOptions(
  environment: Environment,
  system: ServiceSystem,
  slug: string,
  {
    given,
    environmentOf,
  }: { readonly given: readonly string[]; readonly environmentOf: (facts: EnvironmentFacts) => Record<string, string> },
): LoginOptions & Pick<ServiceOptions, "claude"> {
  const { variables, home } = environment;
  const places = servicePlaces(environment);
  const claude = claudeOf(environment);
  const passed = environmentOf({
    system,
    home,
    claudeDirectory: claude === null ? null : parentOf(claude),
    variables,
    given: givenVariables(given, variables),
  });
  return {
    system,
    slug,
    executable: ownExecutable(),
    claude,
    environment: passed,
    omittedVariables: Object.keys(variables)
      .filter((name) => variables[name] && concernsClaude(name) && !Object.hasOwn(passed, name))
      .sort(),
    umask: userMask(),
    installed: system === systemName && fileFacts(servicePaths(system, slug, places).record) !== undefined,
    places,
    hash: textHash,
  };
}

function workspaceOf({ cwd }: Environment, given: string | undefined, system: ServiceSystem): string {
  const path = absolutePath(given ?? cwd, cwd);
  // A workspace on another system cannot be checked here.
  if (system !== systemName) return path;
  if (!isDirectory(path)) throw new Failure("not-found", `there is no directory ${path}`);
  return resolveLinks(path);
}

function claudeOf({ variables }: Environment): string | null {
  try {
    return resolvedAt(findClaude(variables, process.execPath));
  } catch (error) {
    if (error instanceof Failure && error.kind === "no-claude") return null;
    throw error;
  }
}

const resolvedAt = (path: string): string => absolutePath(path, process.cwd());

/** Refuses subcommands and flags that leave no conversation to resume, and flags that choose the session. */
function refuseUnsupported(argv: readonly string[]): void {
  const segments = splitArguments(argv);
  const subcommand = segments.find(({ kind }) => kind === "subcommand");
  if (subcommand) throw new Failure("usage", `claude ${subcommand.words[0] ?? ""} cannot run as a service`);
  for (const { flag, words } of flagsOf(segments)) {
    if (flag.restart === "never") throw new Failure("usage", `claude ${words[0] ?? ""} cannot run as a service`);
    if (["continue", "resume", "session-id", "fork-session"].includes(flag.name)) {
      throw new Failure("usage", `a service chooses its session itself: leave out ${words[0] ?? ""}`, {
        hint: "Or add --no-resume-on-restart to start claude with exactly your flags.",
      });
    }
  }
}

function givenVariables(words: readonly string[], present: Readonly<Variables>): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const equals = word.indexOf("=");
      const name = equals < 0 ? word : word.slice(0, equals);
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
        throw new Failure("usage", `option --env: "${name}" is not a valid variable name`);
      }
      const value = equals < 0 ? present[name] : word.slice(equals + 1);
      if (value === undefined)
        throw new Failure("usage", `option --env: ${name} has no value and is not set in this environment`);
      return [name, value];
    }),
  );
}

function duration(
  option: string,
  text: string | undefined,
  { defaultMs, minMs }: { defaultMs: number; minMs: number },
): number {
  if (text === undefined) return defaultMs;
  const value = parseDuration(text);
  if (value === undefined || value < minMs) {
    throw new Failure("usage", `option --${option} must be a duration (got "${text}")`, {
      hint: "Use a duration such as 30s, 10m or 7d.",
    });
  }
  return value;
}

function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) {
    throw new Failure("usage", `option --${option} must be a whole number from 1 to 999 (got "${text}")`);
  }
  return Number(text);
}
