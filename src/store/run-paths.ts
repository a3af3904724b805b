import { isAbsolutePath } from "../core/absolute-path.ts";

/** Where the user's own records of runs lie; the names are a promise, see docs/FORMAT.md. */
export class RunPaths {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** Two directories, so that finding what still runs never costs more because of what ended long ago. */
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
  get services(): string {
    return `${this.root}/services`;
  }
  activeRun(id: string): string {
    return `${this.active}/${id}.json`;
  }
  endedRun(id: string): string {
    return `${this.ended}/${id}.json`;
  }
  /** The user's word that a run is to end for good; it holds whether anybody is there to hear it or not. */
  stopRequest(id: string): string {
    return `${this.root}/runs/stop/${id}`;
  }
  /** Held by whoever supervises the run, for as long as he lives. */
  lock(id: string): string {
    return `${this.locks}/${id}.lock`;
  }
}

/** A relative value is ignored, as the specification says. */
export function stateHome(variables: Record<string, string | undefined>, home: string): string {
  const given = variables["XDG_STATE_HOME"];
  return given !== undefined && isAbsolutePath(given) ? given : `${home}/.local/state`;
}

export const runRoot = (variables: Record<string, string | undefined>, home: string): string =>
  `${stateHome(variables, home)}/ai-runtime`;

/** In the project: what a run did there. A repository may bring such a directory along, so nothing in it is trusted. */
export const runDirectory = (project: string, id: string): string => `${project}/.ai-runtime/sessions/${id}`;
