import { dirname } from "node:path";
import { shellCommand } from "../claude/hook-command.ts";
import { version } from "../core/version.ts";
import { findExecutable } from "../io/find-executable.ts";
import { runToEnd } from "../io/run-to-end.ts";
import type { Environment } from "./environment.ts";
import { doubtful, type Finding, good } from "./finding.ts";
import { ownExecutable } from "./own-executable.ts";

const name = "PATH";
const programs = ["ai-runtime", "cclaude", "session-snapshot"];
const patience = 10_000;

/** Each of our names must lead to this very program, whichever way: what it says for its version tells. */
export async function examinePath({ variables }: Environment): Promise<Finding[]> {
  const directory = dirname(ownExecutable());
  const found = programs.map((program) => ({
    program,
    path: findExecutable([program, `${program}.exe`, `${program}.cmd`], variables["PATH"] ?? "", ""),
  }));
  if (found.every(({ path }) => path === undefined)) {
    return [doubtful(name, `${directory} is not on it`, `export PATH="${directory}:$PATH"`)];
  }
  const findings = await Promise.all(
    found.map(async ({ program, path }) => {
      if (path === undefined) return [doubtful(name, `${program} is not on it`, "ai-runtime install --shims")];
      const ended = await runToEnd([path, "--version"], { variables, milliseconds: patience });
      return ended?.stdout === `${program} ${version}\n` ? [] : [another(path, directory, ended?.stdout ?? "")];
    }),
  );
  const flat = findings.flat();
  return flat.length > 0 ? flat : [good(name, `${programs.join(", ")} lead to ${directory}`)];
}

function another(path: string, directory: string, answer: string): Finding {
  const says = answer.trim() === "" ? "does not say its version" : `says "${answer.trim().slice(0, 60)}"`;
  if (dirname(path) === directory) {
    const fix = `${shellCommand("rm", [path])} && ai-runtime install --shims`;
    return doubtful(name, `${path} is not ours: it ${says}`, fix);
  }
  const message = `${path} comes first and hides ours in ${directory}: it ${says}`;
  return doubtful(name, message, shellCommand("rm", [path]));
}
