import { dirname } from "node:path";
import { shellCommand } from "../claude/hook-command.ts";
import { findExecutable, isSameExecutable } from "../io/find-executable.ts";
import { freeSpace } from "../io/free-space.ts";
import { exposedMode } from "../io/exposed-mode.ts";
import { runRoot } from "../store/run-paths.ts";
import type { Environment } from "./environment.ts";
import { broken, doubtful, type Finding, good } from "./finding.ts";
import { ownExecutable } from "./own-executable.ts";

export function examinePlaces(environment: Environment): Finding[] {
  return [...examinePath(environment), ...examinePermissions(environment), examineDisk(environment)];
}

/** Each of our names must lead to this program, and not to another one that comes first. */
function examinePath({ variables }: Environment): Finding[] {
  const name = "PATH";
  const own = ownExecutable();
  const directory = dirname(own);
  const first = (program: string): string | undefined =>
    findExecutable([program, `${program}.exe`, `${program}.cmd`], variables["PATH"] ?? "", "");
  const programs = ["ai-runtime", "cclaude", "session-snapshot"];
  const missing = programs.filter((program) => first(program) === undefined);
  const hidden = programs.flatMap((program) => {
    const path = first(program);
    return path === undefined || dirname(path) === directory || isSameExecutable(path, own) ? [] : [path];
  });
  if (missing.length === programs.length) {
    return [doubtful(name, `${directory} is not on it`, `export PATH="${directory}:$PATH"`)];
  }
  const findings = [
    ...missing.map((program) => doubtful(name, `${program} is not on it`, "ai-runtime install --shims")),
    ...hidden.map((path) =>
      doubtful(name, `${path} comes first and hides ours in ${directory}`, shellCommand("rm", [path])),
    ),
  ];
  return findings.length > 0 ? findings : [good(name, `${programs.join(", ")} are found in ${directory}`)];
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
