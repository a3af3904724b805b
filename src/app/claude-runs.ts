import type { Segment } from "../claude/flags.ts";
import { type ChildEnd, type InPlace, runInPlace } from "../io/run-child.ts";
import { claudeFile, type ClaudeFile, rememberVersion } from "../store/claude-versions.ts";
import { readRunEvents } from "../store/run-events.ts";
import type { Environment } from "./environment.ts";
import type { FoundSession } from "./find-session.ts";
import { type Gathered, gatherEvidence } from "./gather-evidence.ts";
import { argumentsWithHooks } from "./inject-hooks.ts";
import { orElse } from "./or-else.ts";

/** What is the same for every start of a run. */
export interface ClaudeStart {
  readonly claude: string;
  /** For claude. */
  readonly variables: Record<string, string | undefined>;
  /** Where the hooks of this run tell what they see; without one they tell nothing. */
  readonly runDirectory: string | undefined;
}

/** One start of claude. */
export interface Start {
  readonly segments: readonly Segment[];
  readonly session?: FoundSession;
  readonly directory?: string | undefined;
  readonly input?: InPlace["input"];
}

export interface Ended {
  readonly start: Start;
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly pid: number;
  readonly end: ChildEnd;
}

interface Mode {
  readonly interactive: boolean;
  readonly directory: string;
}

/** Starts claude and, when it has ended, looks at what it left behind. */
export class ClaudeRuns {
  readonly #environment: Environment;
  readonly #given: ClaudeStart;
  readonly #mode: Mode;
  readonly #file: ClaudeFile | undefined;

  constructor(environment: Environment, given: ClaudeStart, mode: Mode) {
    this.#environment = environment;
    this.#given = given;
    this.#mode = mode;
    this.#file = orElse(environment, () => claudeFile(given.claude), undefined);
  }

  async run(start: Start, onStart: () => void): Promise<Ended> {
    const { claude, variables } = this.#given;
    const started = this.#environment.now();
    let pid = 0;
    const end = await runInPlace({
      command: [claude, ...argumentsWithHooks(this.#environment, this.#file, start.segments)],
      variables,
      directory: start.directory,
      input: start.input,
      onStart: (child) => {
        pid = child;
        onStart();
      },
    });
    return { start, started, pid, end };
  }

  look({ start, started, pid, end }: Ended): Gathered {
    const { runDirectory } = this.#given;
    const all = (runDirectory === undefined ? [] : readRunEvents(runDirectory)).filter(({ time }) => time >= started);
    const own = all.filter(({ claudePid }) => claudePid === pid);
    // None by that number: claude was started by a wrapper that waits for it.
    const events = own.length > 0 ? own : all;
    const run = { ...this.#mode, pid, started, segments: start.segments, events };
    const gathered = gatherEvidence(this.#environment, run, end);
    this.#remember(gathered.version);
    return gathered;
  }

  #remember(version: string | undefined): void {
    const file = this.#file;
    if (!version || !file) return;
    orElse(this.#environment, () => rememberVersion(this.#environment.paths, file, version), undefined);
  }
}
