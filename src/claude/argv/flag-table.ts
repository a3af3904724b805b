/** How many of the following words are values of the flag. */
export type FlagShape = "switch" | "value" | "optional" | "variadic";

export interface Flag {
  /** Without dashes; the same for all spellings. */
  readonly name: string;
  readonly shape: FlagShape;
  /**
   * What a restart does with the flag. `keep`: passes it again. `drop`: leaves it out, because it selects a session or carries a
   * prompt. `never`: such a session cannot be restarted, because it leaves no transcript here or no process to watch.
   */
  readonly restart: "keep" | "drop" | "never";
}

const flags = new Map<string, Flag>();

/** Each word is one flag: its long name, then its other spellings after `/`. */
function define(restart: Flag["restart"], shape: FlagShape, words: string): void {
  for (const word of words.split(/\s+/)) {
    const [name = "", ...others] = word.split("/");
    for (const spelling of [name, ...others]) {
      flags.set(spelling.length === 1 ? `-${spelling}` : `--${spelling}`, { name, shape, restart });
    }
  }
}

// From the help texts and argument parsers of the clients 2.0.10 to 2.1.325.
define(
  "keep",
  "value",
  `model/m fallback-model advisor effort fast-mode agent agents permission-mode permission-prompts permission-prompt-tool
  settings setting-sources managed-settings system-prompt system-prompt-file append-system-prompt append-system-prompt-file
  append-subagent-system-prompt append-subagent-system-prompt-file system-prompt-snapshot plan-mode-instructions plugin-dir
  plugin-dir-no-mcp plugin-url output-format input-format json-schema max-turns max-budget-usd task-budget
  max-thinking-tokens thinking autocompact name/n debug-file remote-control-session-name-prefix`,
);
define(
  "keep",
  "variadic",
  "add-dir allowedTools/allowed-tools disallowedTools/disallowed-tools betas mcp-config tools channels",
);
define("keep", "optional", "debug/d prompt-suggestions remote-control/rc");
define(
  "keep",
  "switch",
  `print/p dangerously-skip-permissions allow-dangerously-skip-permissions restricted strict-mcp-config
  disable-slash-commands verbose ide chrome no-chrome brief bare safe-mode ax-screen-reader include-hook-events
  include-partial-messages replay-user-messages forward-subagent-text exclude-dynamic-system-prompt-sections mcp-debug
  debug-to-stderr`,
);
define("drop", "optional", "resume/r from-pr teleport worktree/w project");
define("drop", "switch", "continue/c fork-session init maintenance reply-on-resume");
define("drop", "value", "session-id resume-session-at rewind-files prefill environment exec");
define("drop", "variadic", "file");
define("never", "switch", "no-session-persistence bg/background tmux desktop init-only help/h version/v");
define("never", "optional", "cloud remote");
define("never", "value", "sdk-url");

export const findFlag = (spelling: string): Flag | undefined => flags.get(spelling);

/** Subcommands of claude: all words after one belong to it. */
const subcommands = new Set(
  `agents attach auth auto-mode config daemon doctor gateway import install kill logs mcp migrate-installer plugin plugins
  project purge remote-control respawn rm setup-token stop ultrareview update upgrade`.split(/\s+/),
);

export const isSubcommand = (word: string): boolean => subcommands.has(word);
