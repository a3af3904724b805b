import { flagsOf, splitArguments } from "../claude/flags.ts";
import { absolutePath, isAbsolutePath } from "../core/absolute-path.ts";
import { parseDuration } from "../core/duration.ts";
import { Failure } from "../core/failure.ts";
import { serviceEnvironment } from "../core/service-environment.ts";
import type { ServiceOptions, ServicePlaces, ServiceSystem } from "../core/service-options.ts";
import { servicePaths } from "../core/service-paths.ts";
import { serviceSlug } from "../core/service-slug.ts";
import { fileFacts, isDirectory, parentOf, resolveLinks } from "../io/read-file.ts";
import { systemName, userId, userMask, userName } from "../io/system.ts";
import { textHash } from "../io/text-hash.ts";
import { stateHome } from "../store/run-paths.ts";
import type { Environment } from "./environment.ts";
import { findClaude } from "./find-claude.ts";
import { ownExecutable } from "./own-executable.ts";

/** A service as it is asked for on the command line. */
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
  /** `NAME=value`, or `NAME` for the value that it has now. */
  readonly variables: readonly string[];
}

const day = 86_400_000;

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

/** From the user's words, and what is found here, to what the planner needs. */
export function serviceOptions(environment: Environment, request: ServiceRequest): ServiceOptions {
  const { variables, home } = environment;
  const system = request.system ?? systemName;
  const workspace = workspaceOf(environment, request.workspace, system);
  const slug = serviceSlug(workspace, textHash);
  const places = servicePlaces(environment);
  if (request.resume) refuseUnfit(request.claudeArguments);
  const claude = claudeOf(environment);
  return {
    system,
    slug,
    workspace,
    executable: ownExecutable(),
    claude,
    claudeArguments: request.claudeArguments,
    resume: request.resume,
    restart: request.restart ?? "on-failure",
    restartDelay: duration("restart-delay", request.restartDelay, { otherwise: 10_000, least: 1_000 }),
    burst: wholeNumber("burst", request.burst ?? "5"),
    watchdog:
      request.watchdog === undefined ? null : duration("watchdog", request.watchdog, { otherwise: 0, least: 1_000 }),
    freshAfter: duration("fresh-after", request.freshAfter, { otherwise: 7 * day, least: 0 }),
    environment: serviceEnvironment({
      system,
      home,
      claudeDirectory: claude === null ? null : parentOf(claude),
      variables,
      given: givenVariables(request.variables, variables),
    }),
    umask: userMask(),
    installed: system === systemName && fileFacts(servicePaths(system, slug, places).record) !== undefined,
    places,
    hash: textHash,
  };
}

function workspaceOf({ cwd }: Environment, given: string | undefined, system: ServiceSystem): string {
  const path = absolutePath(given ?? cwd, cwd);
  // For another system it is planned as it is written: it cannot be looked at here.
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

/** What would make claude another program, or leave nothing to come back to; and the choice of a session is the service's. */
function refuseUnfit(argv: readonly string[]): void {
  const segments = splitArguments(argv);
  const subcommand = segments.find(({ kind }) => kind === "subcommand");
  if (subcommand) throw new Failure("usage", `claude ${subcommand.words[0] ?? ""} cannot run as a service`);
  for (const { flag, words } of flagsOf(segments)) {
    if (flag.restart === "never") throw new Failure("usage", `claude ${words[0] ?? ""} cannot run as a service`);
    if (["continue", "resume", "session-id", "fork-session"].includes(flag.name)) {
      throw new Failure("usage", `a service chooses its session itself: leave out ${words[0] ?? ""}`, {
        hint: "Or add --no-resume-on-restart, to have claude started with exactly your flags.",
      });
    }
  }
}

function givenVariables(
  words: readonly string[],
  present: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const equals = word.indexOf("=");
      const name = equals < 0 ? word : word.slice(0, equals);
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
        throw new Failure("usage", `option --env: "${name}" is not the name of a variable`);
      }
      const value = equals < 0 ? present[name] : word.slice(equals + 1);
      if (value === undefined) throw new Failure("usage", `option --env: ${name} is not set here, and has no value`);
      return [name, value];
    }),
  );
}

function duration(
  option: string,
  text: string | undefined,
  { otherwise, least }: { otherwise: number; least: number },
): number {
  if (text === undefined) return otherwise;
  const value = parseDuration(text);
  if (value === undefined || value < least) {
    throw new Failure("usage", `option --${option} cannot be "${text}"`, {
      hint: "It is a time such as 30s, 10m or 7d.",
    });
  }
  return value;
}

function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) {
    throw new Failure("usage", `option --${option} cannot be "${text}"; it is a whole number from 1 to 999`);
  }
  return Number(text);
}
