import { shellCommand } from "../claude/hook-command.ts";
import { type DirectoryObstacle, directoryObstacle } from "../io/directory-obstacle.ts";
import { freeSpace } from "../io/free-space.ts";
import { exposedMode } from "../io/exposed-mode.ts";
import { runRoot } from "../store/run-paths.ts";
import type { Environment } from "./environment.ts";
import { broken, doubtful, type Finding, good } from "./finding.ts";

export function examinePlaces(environment: Environment): Finding[] {
  return [...examinePermissions(environment), examineDisk(environment)];
}

/** Transcripts hold secrets: our directories are for this user alone, and for this user to write in. */
function examinePermissions({ paths, variables, home }: Environment): Finding[] {
  const name = "permissions";
  const directories = [paths.root, paths.snapshots, paths.backups, runRoot(variables, home)];
  const findings = directories.flatMap((path) => {
    const obstacle = directoryObstacle(path);
    if (obstacle) return [describeObstacle(path, obstacle)];
    const mode = exposedMode(path);
    if (mode === undefined) return [];
    return [
      doubtful(
        name,
        `${path} is open to others (mode ${mode.toString(8)})`,
        shellCommand("chmod", ["-R", "go-rwx", path]),
      ),
    ];
  });
  return findings.length > 0 ? findings : [good(name, "our directories are for you alone")];
}

function describeObstacle(path: string, obstacle: DirectoryObstacle): Finding {
  const { path: at, owner } = obstacle;
  const what = owner === undefined ? "is no directory" : `belongs to user ${owner}, and you may not write there`;
  const message = at === path ? `${path} ${what}` : `${path} cannot be made: ${at} ${what}`;
  const own = `sudo chown "$(id -u)" ${shellCommand(at, [])}`;
  return broken("permissions", message, owner === undefined ? shellCommand("mv", [at, `${at}.old`]) : own);
}

const scarce = 1_000_000_000;
const hopeless = 100_000_000;

function examineDisk({ paths }: Environment): Finding {
  const name = "disk";
  const free = freeSpace(paths.root);
  if (free === undefined) return doubtful(name, `the space left for ${paths.root} cannot be found out`, null);
  const message = `${(free / 1_000_000_000).toFixed(1)} GB left for ${paths.root}`;
  const fix = "session-snapshot clean --older-than 30d";
  if (free < hopeless) return broken(name, message, fix);
  return free < scarce ? doubtful(name, message, fix) : good(name, message);
}
