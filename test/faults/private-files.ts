import { expect } from "bun:test";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Transcripts may contain secrets, so only the owner may read our files. */
export function expectPrivate(home: string): void {
  const open = [".config/session-snapshot", ".claude/checkpoints", ".local/state/ai-runtime"].flatMap((name) =>
    openTo(join(home, name)),
  );
  expect(open).toEqual([]);
}

/** Lists the files below a directory that other users can access. */
function openTo(directory: string): string[] {
  if (!existsSync(directory)) return [];
  const paths = readdirSync(directory, { recursive: true, encoding: "utf8" }).map((name) => join(directory, name));
  return [directory, ...paths].flatMap((path) => {
    const { mode } = lstatSync(path);
    return (mode & 0o077) === 0 ? [] : [`${path} ${(mode & 0o777).toString(8)}`];
  });
}
