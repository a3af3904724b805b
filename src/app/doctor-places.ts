import { shellCommand } from "../claude/hook-command.ts";
import { freeSpace } from "../io/free-space.ts";
import { exposedMode } from "../io/exposed-mode.ts";
import { runRoot } from "../store/run-paths.ts";
import type { Environment } from "./environment.ts";
import { broken, doubtful, type Finding, good } from "./finding.ts";

export function examinePlaces(environment: Environment): Finding[] {
  return [...examinePermissions(environment), examineDisk(environment)];
}

/** Transcripts hold secrets: our directories are for this user alone. */
function examinePermissions({ paths, variables, home }: Environment): Finding[] {
  const name = "permissions";
  const directories = [paths.root, paths.snapshots, paths.backups, runRoot(variables, home)];
  const findings = directories.flatMap((path) => {
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
