import { Failure } from "../../core/failure.ts";
import { systemdAdvice } from "../../core/service/service-systemd.ts";
import { findExecutable } from "../../io/files/find-executable.ts";
import { runToEnd } from "../../io/process/run-to-end.ts";
import { userId } from "../../io/system.ts";
import type { Environment } from "../environment.ts";

/** Long, because the command may wait for the service to start or for claude to end. */
const commandTimeoutMs = 120_000;

/** Runs a command. Returns why it failed; undefined when it succeeded. */
export async function tryCommand({ variables }: Environment, command: readonly string[]): Promise<string | undefined> {
  const ended = await runToEnd([...command], { variables, milliseconds: commandTimeoutMs });
  if (ended?.exitCode === 0) return undefined;
  const words = command.join(" ");
  const [program = ""] = command;
  if (!ended && !findExecutable([program, `${program}.exe`], variables["PATH"] ?? "", process.execPath)) {
    return `${words}: ${program} is not on PATH`;
  }
  if (!ended) return `${words}: it could not be started, or did not end in time`;
  const firstLine = (ended.stderr.trim() || ended.stdout.trim()).split("\n").at(0) ?? "";
  return `${words}: exit code ${ended.exitCode}${firstLine ? `, ${firstLine}` : ""}`;
}

export async function runCommand(environment: Environment, command: readonly string[]): Promise<void> {
  const problem = await tryCommand(environment, command);
  if (problem === undefined) return;
  const hint = systemdAdvice(problem, userId());
  throw new Failure("failed", problem, hint === undefined ? {} : { hint });
}
