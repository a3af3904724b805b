/** The supported systems: systemd user units, launchd agents, the Windows Task Scheduler. */
export type ServiceSystem = "linux" | "darwin" | "windows";

/** The user's directories and identity; the planner puts its files below these directories. */
export interface ServicePlaces {
  readonly home: string;
  /** XDG_STATE_HOME, or `~/.local/state`. */
  readonly stateHome: string;
  /** XDG_CONFIG_HOME, or `~/.config`. */
  readonly configHome: string;
  /** Used only by launchd's commands. */
  readonly userId: number;
  /** `DOMAIN\name`; used only by the Task Scheduler. */
  readonly userName: string;
}

/** The service that the user asked for. */
export interface ServiceOptions {
  readonly system: ServiceSystem;
  readonly slug: string;
  readonly workspace: string;
  /** The path of ai-runtime. */
  readonly executable: string;
  /** Null when it was not found: the service then searches for it at each start. */
  readonly claude: string | null;
  /** The user's flags for claude, unchanged. */
  readonly claudeArguments: readonly string[];
  /** False: the unit starts claude directly, without the wrapper. */
  readonly resume: boolean;
  readonly restart: "on-failure" | "always";
  /** Milliseconds before a restart. */
  readonly restartDelay: number;
  /** After this many starts in quick succession the service stays down. */
  readonly burst: number;
  /** Milliseconds without a sign of life after which a working claude counts as stuck; null turns the watchdog off. */
  readonly watchdog: number | null;
  /** A conversation older than this many milliseconds is not continued. */
  readonly freshAfter: number;
  /** Variables for claude, in addition to those the system sets for a service. */
  readonly environment: Readonly<Record<string, string>>;
  /** Names of variables in the user's shell that concern Claude, but that the service does not get. */
  readonly omittedVariables: readonly string[];
  /** The user's umask, so that files Claude creates get the same permissions as if the user had started it. */
  readonly umask: number;
  /** A service of this name exists and must be stopped first. */
  readonly installed: boolean;
  readonly places: ServicePlaces;
  /** Hashes a file's content, so that uninstall recognizes files that were changed. */
  readonly hash: (text: string) => string;
}

/** The start of `recover --all --boot` at login, which the system runs like a service that ends by itself. */
export type LoginOptions = Pick<
  ServiceOptions,
  "system" | "slug" | "executable" | "environment" | "omittedVariables" | "umask" | "installed" | "places" | "hash"
>;

/** The comment in every file that we write for a system. XML allows no double hyphen in it. */
export const origins = {
  service: "Written by ai-runtime service install; ai-runtime service uninstall removes it.",
  login: "Written by ai-runtime install for the start at login; ai-runtime uninstall removes it.",
} as const;

/** A recovery that was killed, or found no space on the disk, starts again after `restartDelay` milliseconds, `burst` times. */
export const loginRestarts = { restartDelay: 30_000, burst: 5 } as const;

export interface PlannedFile {
  readonly path: string;
  readonly content: string;
  readonly mode: number;
}

/** Everything that an install does: first the files in this order, then the commands in this order. */
export interface ServicePlan {
  readonly files: readonly PlannedFile[];
  readonly commands: readonly (readonly string[])[];
  readonly notes: readonly string[];
}

/** In a crash loop, each start lives at most this long. */
const maxCrashMs = 60_000;

/**
 * The milliseconds within which `burst` starts count as a crash loop. It must be longer than that many starts and their delays
 * take, because a shorter limit never triggers.
 */
export const startLimitInterval = ({ burst, restartDelay }: Pick<ServiceOptions, "burst" | "restartDelay">): number =>
  burst * (restartDelay + maxCrashMs);
