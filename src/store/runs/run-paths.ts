import { isAbsolutePath } from "../../core/absolute-path.ts";
import type { Variables } from "../../core/variables.ts";

/** All paths of the user's run records. The names are stable; see docs/FORMAT.md. */
export class RunPaths {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** Two directories, so that ended runs do not slow down the search for active ones. */
  get active(): string {
    return `${this.root}/runs/active`;
  }
  get ended(): string {
    return `${this.root}/runs/ended`;
  }
  get locks(): string {
    return `${this.root}/locks`;
  }
  get limits(): string {
    return `${this.root}/limits.json`;
  }
  /** Which boot was recovered. */
  get boot(): string {
    return `${this.root}/boot.json`;
  }
  get queue(): string {
    return `${this.root}/queue`;
  }
  /** Of runs that this machine does for the fleet. */
  get fleet(): string {
    return `${this.root}/fleet`;
  }
  get services(): string {
    return `${this.root}/services`;
  }
  activeRun(id: string): string {
    return `${this.active}/${id}.json`;
  }
  endedRun(id: string): string {
    return `${this.ended}/${id}.json`;
  }
  /** The user's request to stop a run permanently; it stays on disk even when no supervisor is running. */
  stopRequest(id: string): string {
    return `${this.root}/runs/stop/${id}`;
  }
  /** Where the hooks of a cclaude session report; also remembers that an interruption was announced. */
  sessionEvents(id: string): string {
    return `${this.root}/runs/sessions/${id}`;
  }
  /** Held by the supervisor of the run while it lives. */
  lock(id: string): string {
    return `${this.locks}/${id}.lock`;
  }
}

/** A relative value is ignored, as the specification says. */
export function stateHome(variables: Variables, home: string): string {
  const given = variables["XDG_STATE_HOME"];
  return given !== undefined && isAbsolutePath(given) ? given : `${home}/.local/state`;
}

export const runRoot = (variables: Variables, home: string): string => `${stateHome(variables, home)}/ai-runtime`;

/** In the project: what a run did there. A repository may contain such a directory, so nothing in it is trusted. */
export const runDirectory = (project: string, id: string): string => `${project}/.ai-runtime/sessions/${id}`;
