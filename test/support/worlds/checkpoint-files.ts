import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDirectoryName } from "../../../src/claude/paths.ts";

/** The fields of `checkpoint.json`. */
export interface CheckpointJson {
  time: string;
  source: string;
  reason: string;
  session: string | null;
  goal: string | null;
  done: string[];
  next: string | null;
  blocker: string | null;
  finished: boolean;
  where: { directory: string; repo: string | null; branch: string | null; files: string[]; pr: string | null };
  seen: {
    tasks: { subject: string; status: string }[];
    turn: string;
    lastMessage: string | null;
    usage: string | null;
  };
  waiting: { session: string; goal: string } | null;
}

/** The checkpoint files below a Claude configuration directory. */
export class CheckpointFiles {
  readonly latestPath: string;
  readonly usagePath: string;
  readonly pastDirectory: string;
  readonly #config: string;

  constructor(config: string) {
    this.#config = config;
    this.latestPath = join(config, "checkpoints/latest.json");
    this.usagePath = join(config, "checkpoints/usage.json");
    this.pastDirectory = join(config, "checkpoints/past");
  }

  memory(directory: string): string {
    return join(this.#config, "projects", projectDirectoryName(directory), "memory");
  }

  path(directory: string): string {
    return join(this.memory(directory), "checkpoint.json");
  }

  of(directory: string): CheckpointJson {
    return JSON.parse(readFileSync(this.path(directory), "utf8")) as CheckpointJson;
  }

  latest(): CheckpointJson {
    return JSON.parse(readFileSync(this.latestPath, "utf8")) as CheckpointJson;
  }

  exists(directory: string): boolean {
    return existsSync(this.path(directory));
  }
}
