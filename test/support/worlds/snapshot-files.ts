import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SnapshotState } from "../../../src/store/snapshots/snapshot-state.ts";
import type { Latest } from "../../../src/store/snapshots/read-latest.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";

/** The files of session-snapshot in a sandbox. */
export class SnapshotFiles {
  readonly root: string;

  constructor({ home }: Pick<Sandbox, "home">) {
    this.root = join(home, ".config/session-snapshot");
  }

  mirrorPath(sessionId: string): string {
    return join(this.root, "snapshots", `${sessionId}.jsonl`);
  }

  statePath(sessionId: string): string {
    return join(this.root, "snapshots", `${sessionId}.state.json`);
  }

  mirror(sessionId: string): Buffer {
    return readFileSync(this.mirrorPath(sessionId));
  }

  pastMirror(sessionId: string, generation: number): Buffer {
    return readFileSync(join(this.root, `snapshots/generations/${sessionId}.${generation}.jsonl`));
  }

  state(sessionId: string): SnapshotState {
    return JSON.parse(readFileSync(this.statePath(sessionId), "utf8")) as SnapshotState;
  }

  latest(): Latest {
    return JSON.parse(readFileSync(join(this.root, "snapshots/latest.json"), "utf8")) as Latest;
  }
}
