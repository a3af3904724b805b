import { Failure } from "../core/failure.ts";
import { findExecutable } from "../io/find-executable.ts";
import { runToEnd } from "../io/run-to-end.ts";
import type { Environment } from "./environment.ts";

/** The system may wait for the service to be up, or for claude to leave. */
const patience = 120_000;

/** Why a command did not do its work; undefined when it did. */
export async function tryCommand({ variables }: Environment, command: readonly string[]): Promise<string | undefined> {
  const ended = await runToEnd([...command], { variables, milliseconds: patience });
  if (ended?.exitCode === 0) return undefined;
  const words = command.join(" ");
  const [program = ""] = command;
  if (!ended && !findExecutable([program, `${program}.exe`], variables["PATH"] ?? "", process.execPath)) {
    return `${words}: there is no ${program} on PATH`;
  }
  if (!ended) return `${words}: it could not be started, or did not end`;
  const said = (ended.stderr.trim() || ended.stdout.trim()).split("\n").at(0) ?? "";
  return `${words}: exit code ${ended.exitCode}${said ? `, ${said}` : ""}`;
}

export async function runCommand(environment: Environment, command: readonly string[]): Promise<void> {
  const problem = await tryCommand(environment, command);
  if (problem !== undefined) throw new Failure("failed", problem);
}
