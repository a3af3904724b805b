import type { ServiceOptions, ServiceSystem } from "../../../src/core/service/service-options.ts";
import { serviceSlug } from "../../../src/core/service/service-slug.ts";
import { textHash } from "../../../src/io/files/text-hash.ts";

/** Typical options of a service; a test passes only its differences. */
export function exampleService(system: ServiceSystem, changes: Partial<ServiceOptions> = {}): ServiceOptions {
  const windows = system === "windows";
  const home = windows ? "C:\\Users\\me" : system === "darwin" ? "/Users/me" : "/home/me";
  const workspace = changes.workspace ?? (windows ? `${home}\\my shop` : `${home}/my shop`);
  return {
    system,
    slug: serviceSlug(workspace, textHash),
    workspace,
    executable: windows ? `${home}\\bin\\ai-runtime.exe` : `${home}/.local/bin/ai-runtime`,
    claude: windows ? `${home}\\bin\\claude.exe` : "/usr/local/bin/claude",
    claudeArguments: ["--permission-mode", "acceptEdits"],
    resume: true,
    restart: "on-failure",
    restartDelay: 10_000,
    burst: 5,
    watchdog: null,
    freshAfter: 7 * 86_400_000,
    environment: {
      HOME: home,
      PATH: windows ? "C:\\Windows" : "/usr/bin:/bin",
      TERM: "xterm-256color",
      DISABLE_AUTOUPDATER: "1",
    },
    omittedVariables: [],
    umask: 0o022,
    installed: false,
    places: {
      home,
      stateHome: windows ? `${home}\\.local\\state` : `${home}/.local/state`,
      configHome: windows ? `${home}\\.config` : `${home}/.config`,
      userId: 501,
      userName: windows ? "DESK\\me" : "me",
    },
    hash: textHash,
    ...changes,
  };
}
