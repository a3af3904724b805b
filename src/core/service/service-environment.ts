import type { ServiceSystem } from "./service-options.ts";
import type { Variables } from "../variables.ts";

export interface EnvironmentFacts {
  readonly system: ServiceSystem;
  readonly home: string;
  readonly claudeDirectory: string | null;
  /** The environment of the installing user. */
  readonly variables: Readonly<Variables>;
  /** Given with --env. */
  readonly given: Readonly<Record<string, string>>;
}

/** These locate directories, so the service needs the same values as the user. */
const inheritedNames = ["CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "LANG"];

/** Claude must not replace itself while the service runs it. */
export const serviceEnvironment = (facts: EnvironmentFacts): Record<string, string> => ({
  ...loginEnvironment({ ...facts, given: {} }),
  DISABLE_AUTOUPDATER: "1",
  ...facts.given,
});

/** The system starts a program with almost no variables. Adds what claude needs, but no secrets unless given with --env. */
export function loginEnvironment(facts: EnvironmentFacts): Record<string, string> {
  const { home, variables, given } = facts;
  const inherited = inheritedNames.flatMap((name): [string, string][] => {
    const value = variables[name];
    return value ? [[name, value]] : [];
  });
  return {
    HOME: home,
    PATH: servicePath(facts),
    TERM: "xterm-256color",
    ...Object.fromEntries(inherited),
    ...given,
  };
}

const standardDirectories: Record<ServiceSystem, string[]> = {
  linux: ["/usr/local/bin", "/usr/bin", "/bin"],
  darwin: ["/opt/homebrew/bin", "/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"],
  windows: [],
};

/** The user's PATH, so that Claude finds the same tools, without relative entries: the service starts in another directory. */
function servicePath({ system, home, claudeDirectory, variables }: EnvironmentFacts): string {
  const separator = system === "windows" ? ";" : ":";
  const own = (variables["PATH"] ?? "").split(separator).filter((entry) => /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(entry));
  const local = system === "windows" ? [] : [`${home}/.local/bin`];
  const entries = [
    ...(claudeDirectory === null ? [] : [claudeDirectory]),
    ...own,
    ...local,
    ...standardDirectories[system],
  ];
  return [...new Set(entries)].join(separator);
}
