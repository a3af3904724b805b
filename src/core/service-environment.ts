import type { ServiceSystem } from "./service-options.ts";

export interface EnvironmentFacts {
  readonly system: ServiceSystem;
  readonly home: string;
  /** The directory that claude is in. */
  readonly claudeDirectory: string | null;
  /** Of whoever installs. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Asked for by the user. */
  readonly given: Readonly<Record<string, string>>;
}

/** Where these say that things lie, the service must look too. */
const carried = ["CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "LANG"];

/** A service is started with next to nothing: what claude needs, and no secret that nobody asked to pass on. */
export function serviceEnvironment(facts: EnvironmentFacts): Record<string, string> {
  const { home, variables, given } = facts;
  const taken = carried.flatMap((name): [string, string][] => {
    const value = variables[name];
    return value ? [[name, value]] : [];
  });
  return {
    HOME: home,
    PATH: usefulPath(facts),
    TERM: "xterm-256color",
    ...Object.fromEntries(taken),
    DISABLE_AUTOUPDATER: "1",
    ...given,
  };
}

const standard: Record<ServiceSystem, string[]> = {
  linux: ["/usr/local/bin", "/usr/bin", "/bin"],
  darwin: ["/opt/homebrew/bin", "/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"],
  windows: [],
};

/** The user's own, so that Claude finds the same tools; a relative entry would mean another directory there. */
function usefulPath({ system, home, claudeDirectory, variables }: EnvironmentFacts): string {
  const separator = system === "windows" ? ";" : ":";
  const own = (variables["PATH"] ?? "").split(separator).filter((entry) => /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(entry));
  const local = system === "windows" ? [] : [`${home}/.local/bin`];
  const entries = [...(claudeDirectory === null ? [] : [claudeDirectory]), ...own, ...local, ...standard[system]];
  return [...new Set(entries)].join(separator);
}
