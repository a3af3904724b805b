import { shellCommand } from "../../claude/hooks/hook-command.ts";
import { type DirectoryObstacle, directoryObstacle } from "../../io/files/directory-obstacle.ts";
import { freeSpace } from "../../io/files/free-space.ts";
import { exposedMode } from "../../io/files/exposed-mode.ts";
import { runRoot } from "../../store/runs/run-paths.ts";
import { describeDenied, takeOwnership } from "../explain-denied.ts";
import { findForeign } from "../../io/files/denied-path.ts";
import type { Environment } from "../environment.ts";
import { failed, warning, type CheckResult, ok } from "./check-result.ts";

export function checkPlaces(environment: Environment): CheckResult[] {
  return [...checkPermissions(environment), checkDisk(environment)];
}

/** Transcripts contain secrets, so only this user may read our directories; this user must be able to write there. */
function checkPermissions({ paths, variables, home }: Environment): CheckResult[] {
  const name = "permissions";
  const runs = runRoot(variables, home);
  const directories = [paths.root, paths.snapshots, paths.backups, runs];
  const obstructed = new Set<string>();
  const results = directories.flatMap((path) => {
    const obstacle = directoryObstacle(path);
    // One foreign parent can obstruct several of them.
    if (obstacle && obstructed.has(obstacle.path)) return [];
    if (obstacle) obstructed.add(obstacle.path);
    if (obstacle) return [describeObstacle(path, obstacle)];
    const foreign = path === paths.root || path === runs ? findForeign(path) : undefined;
    if (foreign) return [failed(name, describeDenied(foreign).message, takeOwnership(path))];
    const mode = exposedMode(path);
    if (mode === undefined) return [];
    return [
      warning(
        name,
        `other users can access ${path} (mode ${mode.toString(8)})`,
        shellCommand("chmod", ["-R", "go-rwx", path]),
      ),
    ];
  });
  return results.length > 0 ? results : [ok(name, "only you can access our directories")];
}

function describeObstacle(path: string, obstacle: DirectoryObstacle): CheckResult {
  const { path: at, owner } = obstacle;
  const what = owner === undefined ? "is not a directory" : `belongs to user ${owner}, and you cannot write there`;
  const message = at === path ? `${path} ${what}` : `${path} cannot be created: ${at} ${what}`;
  return failed(
    "permissions",
    message,
    owner === undefined ? shellCommand("mv", [at, `${at}.old`]) : takeOwnership(at),
  );
}

const lowSpaceBytes = 1_000_000_000;
const criticalSpaceBytes = 100_000_000;

function checkDisk({ paths }: Environment): CheckResult {
  const name = "disk";
  const free = freeSpace(paths.root);
  if (free === undefined) return warning(name, `the free space for ${paths.root} cannot be determined`, null);
  const message = `${(free / 1_000_000_000).toFixed(1)} GB free for ${paths.root}`;
  const fix = "session-snapshot clean --all --older-than 30d";
  if (free < criticalSpaceBytes) return failed(name, message, fix);
  return free < lowSpaceBytes ? warning(name, message, fix) : ok(name, message);
}
