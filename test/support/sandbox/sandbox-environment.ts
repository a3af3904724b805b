// The environment of a sandbox, built from scratch so that the developer's settings cannot change a test.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

export type Environment = Readonly<Record<string, string>>;

export interface SandboxPlaces {
  readonly root: string;
  readonly home: string;
  /** First on the PATH; contains the client, and our programs once installed. */
  readonly binDir: string;
  readonly projectDir: string;
}

const privateDirectories = {
  XDG_CONFIG_HOME: ".config",
  XDG_CACHE_HOME: ".cache",
  XDG_DATA_HOME: ".local/share",
  XDG_STATE_HOME: ".local/state",
};

export async function makePlaces(root: string): Promise<SandboxPlaces> {
  const home = join(root, "home");
  const places = { root, home, binDir: join(root, "bin"), projectDir: join(root, "project") };
  for (const directory of [places.binDir, places.projectDir, join(root, "tmp")]) await mkdir(directory);
  for (const directory of Object.values(privateDirectories)) await mkdir(join(home, directory), { recursive: true });
  await mkdir(join(root, "run"), { mode: 0o700 });
  await Bun.write(
    join(home, ".gitconfig"),
    "[user]\n\tname = Test\n\temail = test@example.invalid\n[init]\n\tdefaultBranch = main\n[commit]\n\tgpgSign = false\n",
  );
  return places;
}

export function baseEnvironment({ root, home, binDir }: SandboxPlaces, proxy: string): Environment {
  const xdg = Object.entries(privateDirectories).map(([name, directory]) => [name, join(home, directory)]);
  return {
    ...Object.fromEntries(xdg),
    HOME: home,
    USER: "test",
    LOGNAME: "test",
    SHELL: "/bin/bash",
    PATH: [binDir, "/usr/bin", "/bin", "/usr/sbin", "/sbin"].join(":"),
    TMPDIR: join(root, "tmp"),
    XDG_RUNTIME_DIR: join(root, "run"),
    LANG: "C.UTF-8",
    TZ: "UTC",
    TERM: "xterm-256color",
    GIT_CONFIG_GLOBAL: join(home, ".gitconfig"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CEILING_DIRECTORIES: root,
    GIT_TERMINAL_PROMPT: "0",
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    ALL_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    all_proxy: proxy,
    NO_PROXY: "127.0.0.1,localhost",
    no_proxy: "127.0.0.1,localhost",
  };
}

export type Customer = "subscriber" | "api-key";

export const dummyKey = "sk-ant-dummy";

/** Points the client to the fake API and turns off other traffic and long retries. */
export function clientEnvironment(places: SandboxPlaces, apiUrl: string, customer: Customer): Environment {
  return {
    ANTHROPIC_BASE_URL: apiUrl,
    // Only a subscriber's client reads the unified limit headers.
    [customer === "subscriber" ? "CLAUDE_CODE_OAUTH_TOKEN" : "ANTHROPIC_API_KEY"]: dummyKey,
    CLAUDE_CODE_MAX_RETRIES: "1",
    // Most tests are about our own waits, so the client ends at a limit; test/support/runs/native-retry.ts switches this on.
    AI_RUNTIME_NATIVE_RETRY: "off",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_TMPDIR: join(places.root, "tmp"),
    DISABLE_AUTOUPDATER: "1",
    DISABLE_INSTALLATION_CHECKS: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    // Allows root to skip permission prompts, as in a container.
    IS_SANDBOX: "1",
  };
}
