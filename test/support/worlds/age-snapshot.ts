import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SnapshotState } from "../../../src/store/snapshots/snapshot-state.ts";
import type { HookWorld } from "./hook-world.ts";

const dayMs = 86_400_000;

/** Makes a session look unused for this many days by changing the times of its marks, its copies and its transcript. */
export function ageSnapshot(root: string, sessionId: string, days: number): void {
  const back = days * dayMs;
  for (const directory of [join(root, "snapshots"), join(root, "snapshots/generations")]) {
    if (!existsSync(directory)) continue;
    for (const name of readdirSync(directory).filter((each) => each.startsWith(`${sessionId}.`))) {
      const path = join(directory, name);
      if (name.endsWith(".state.json")) ageState(path, back);
      else setAge(path, back);
    }
  }
}

/** Creates a session with a snapshot of all of it, last used this many days ago. `cwd`: of its project. */
export async function agedSession(
  world: HookWorld,
  sessionId: string,
  days: number,
  { bytes = 100_000, cwd }: { readonly bytes?: number; readonly cwd?: string } = {},
): Promise<void> {
  world.grow(sessionId, bytes, sessionId);
  await world.hook(sessionId, "Stop", cwd === undefined ? {} : { cwd });
  ageSnapshot(world.files.root, sessionId, days);
}

function ageState(path: string, back: number): void {
  const state = JSON.parse(readFileSync(path, "utf8")) as SnapshotState & { endedAt?: number };
  for (const mark of state.marks) mark.time -= back;
  for (const past of state.past) past.endedAt -= back;
  if (state.endedAt !== undefined) state.endedAt -= back;
  writeFileSync(path, JSON.stringify(state));
  if (existsSync(state.transcriptPath)) setAge(state.transcriptPath, back);
}

export function setAge(path: string, milliseconds: number): void {
  const time = new Date(Date.now() - milliseconds);
  utimesSync(path, time, time);
}
