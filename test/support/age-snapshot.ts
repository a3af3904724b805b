import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SnapshotState } from "../../src/store/snapshot-state.ts";

const day = 86_400_000;

/** Makes a session look as if nobody had used it for so many days: its marks, its copies and Claude's own file. */
export function ageSnapshot(root: string, sessionId: string, days: number): void {
  const back = days * day;
  for (const directory of [join(root, "snapshots"), join(root, "snapshots/generations")]) {
    if (!existsSync(directory)) continue;
    for (const name of readdirSync(directory).filter((each) => each.startsWith(`${sessionId}.`))) {
      const path = join(directory, name);
      if (name.endsWith(".state.json")) ageState(path, back);
      else setAge(path, back);
    }
  }
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
