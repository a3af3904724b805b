import { hubKeyVariable, hubUrlVariable } from "../hub/hub-config.ts";
import { type HeldChild, onLetGo, startHeld } from "../../io/process/held-child.ts";
import type { Environment } from "../environment.ts";
import { ownExecutable } from "../own-executable.ts";
import type { RunEnded } from "../run/run-events.ts";

// A worker supervises each run in a process of its own, as any other run. That process ends with the worker.

/** What the supervisor tells its worker at the end; the rest is in the record of the run. */
export interface SupervisorReport {
  readonly answer: string | null;
  readonly message: string | null;
}

export function startSupervisor(environment: Environment, id: string, directory: string): HeldChild {
  const { [hubUrlVariable]: _url, [hubKeyVariable]: _key, ...variables } = environment.variables;
  return startHeld([ownExecutable(), "supervise", id, "fleet"], variables, directory);
}

/** The supervisor's side: ends itself when its worker is gone or gives the run up. */
export function endWithWorker(): void {
  onLetGo(() => process.kill(process.pid, "SIGTERM"));
}

export const reportText = (ended: RunEnded | undefined): string =>
  JSON.stringify({ answer: ended?.answer ?? null, message: ended?.message ?? null } satisfies SupervisorReport);

/** A supervisor that was killed says nothing. */
export function readReport(text: string): SupervisorReport {
  try {
    const { answer, message } = JSON.parse(text) as Partial<Record<keyof SupervisorReport, unknown>>;
    const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);
    return { answer: textOrNull(answer), message: textOrNull(message) };
  } catch {
    return { answer: null, message: null };
  }
}
