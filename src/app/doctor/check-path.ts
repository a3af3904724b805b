import { dirname } from "node:path";
import { shellCommand } from "../../claude/hooks/hook-command.ts";
import { version } from "../../core/version.ts";
import { findExecutable } from "../../io/files/find-executable.ts";
import { runToEnd } from "../../io/process/run-to-end.ts";
import type { Environment } from "../environment.ts";
import { warning, type CheckResult, ok } from "./check-result.ts";
import { ownExecutable } from "../own-executable.ts";

const name = "PATH";
const programs = ["ai-runtime", "cclaude", "session-snapshot"];
const versionTimeoutMs = 10_000;

/** Each of our three names must start this program; its `--version` output shows that. */
export async function checkPath({ variables }: Environment): Promise<CheckResult[]> {
  const directory = dirname(ownExecutable());
  const found = programs.map((program) => ({
    program,
    path: findExecutable([program, `${program}.exe`, `${program}.cmd`], variables["PATH"] ?? "", ""),
  }));
  if (found.every(({ path }) => path === undefined)) {
    return [warning(name, `${directory} is not on PATH`, addToPath(directory))];
  }
  const results = await Promise.all(
    found.map(async ({ program, path }) => {
      if (path === undefined) return [warning(name, `${program} is not on PATH`, adviseMissing(program, directory))];
      const ended = await runToEnd([path, "--version"], { variables, milliseconds: versionTimeoutMs });
      return ended?.stdout === `${program} ${version}\n` ? [] : [describeOther(path, directory, ended?.stdout ?? "")];
    }),
  );
  const flat = results.flat();
  return flat.length > 0 ? flat : [ok(name, `${programs.join(", ")} start the program in ${directory}`)];
}

const addToPath = (directory: string): string => `export PATH="${directory}:$PATH"`;

/** An install creates missing shims; existing ones only need a PATH that leads to them. */
const adviseMissing = (program: string, directory: string): string =>
  findExecutable([program, `${program}.exe`, `${program}.cmd`], directory, "") === undefined
    ? "ai-runtime install --shims"
    : addToPath(directory);

function describeOther(path: string, directory: string, answer: string): CheckResult {
  const reports = answer.trim() === "" ? "does not report its version" : `reports "${answer.trim().slice(0, 60)}"`;
  if (dirname(path) === directory) {
    const fix = `${shellCommand("rm", [path])} && ai-runtime install --shims`;
    return warning(name, `${path} is another program: it ${reports}`, fix);
  }
  const message = `${path} comes first on PATH and hides the one in ${directory}: it ${reports}`;
  return warning(name, message, shellCommand("rm", [path]));
}
