/** The systems that can keep a service running: systemd's user units, launchd's agents, Windows' Task Scheduler. */
export type ServiceSystem = "linux" | "darwin" | "windows";

/** Where things of a user lie; the planner puts its files below them. */
export interface ServicePlaces {
  readonly home: string;
  /** `~/.local/state`, or where XDG_STATE_HOME says. */
  readonly stateHome: string;
  /** `~/.config`, or where XDG_CONFIG_HOME says. */
  readonly configHome: string;
  /** Only launchd's commands need it. */
  readonly userId: number;
  /** Only the Task Scheduler needs it: `DOMAIN\name`. */
  readonly userName: string;
}

/** What a service is, as the user asked for it. */
export interface ServiceOptions {
  readonly system: ServiceSystem;
  readonly slug: string;
  readonly workspace: string;
  /** Our own. */
  readonly executable: string;
  /** Null when it was not found: then it is looked for at each start. */
  readonly claude: string | null;
  /** The user's flags for claude, word for word; never one more. */
  readonly claudeArguments: readonly string[];
  /** False: no wrapper, the unit starts claude itself. */
  readonly resume: boolean;
  readonly restart: "on-failure" | "always";
  /** Milliseconds before a restart. */
  readonly restartDelay: number;
  /** So many starts without a longer life in between, and the service stays down. */
  readonly burst: number;
  /** Milliseconds without a sign of life after which a claude at work counts as stuck; null is off. */
  readonly watchdog: number | null;
  /** A conversation older than this many milliseconds is not continued. */
  readonly freshAfter: number;
  /** For claude, on top of what the system gives to a service. */
  readonly environment: Readonly<Record<string, string>>;
  /** The user's own: what Claude makes there is to be as open to others as if the user had started it. */
  readonly umask: number;
  /** There is one of this name already: it has to make way first. */
  readonly installed: boolean;
  readonly places: ServicePlaces;
  /** Of a text, so that a file of ours can be told from one that somebody changed. */
  readonly hash: (text: string) => string;
}

export interface PlannedFile {
  readonly path: string;
  readonly content: string;
  readonly mode: number;
}

/** Everything that an install does: the files in this order, then the commands in theirs. */
export interface ServicePlan {
  readonly files: readonly PlannedFile[];
  readonly commands: readonly (readonly string[])[];
  readonly notes: readonly string[];
}

/** A crash is seen within this many milliseconds of a start, if it is one of a loop. */
const longestCrash = 60_000;

/**
 * The time in which `burst` starts are too many. It must be longer than so many starts take with the pauses between them: a
 * shorter one never fires.
 */
export const startLimitInterval = ({ burst, restartDelay }: Pick<ServiceOptions, "burst" | "restartDelay">): number =>
  burst * (restartDelay + longestCrash);
