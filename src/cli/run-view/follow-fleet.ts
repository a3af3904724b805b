import type { Environment } from "../../app/environment.ts";
import { hasHub } from "../../app/hub/has-hub.ts";
import { Failure } from "../../core/failure.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Output } from "../output.ts";
import { printChunks } from "../print-chunks.ts";

/**
 * For a run that this machine does not have: shows its output from the hub. Undefined when there is no hub, or the fleet has no
 * such run.
 */
export async function showFleetOutput(
  environment: Environment,
  given: string,
  output: Output,
  live: boolean,
): Promise<number | undefined> {
  if (!hasHub(process.env)) return undefined;
  const { followFleet } = await import("../../app/fleet/follow-fleet.ts");
  const left = new AbortController();
  process.once("SIGINT", () => left.abort());
  const follower = {
    print: (text: string) => printChunks(process.stdout, [text]),
    note: (state: string) => {
      if (live && notes[state] !== undefined) output.note(notes[state]);
    },
  };
  const found = await followFleet(environment, given, { follower, live, left: left.signal });
  if (!found) return undefined;
  const { id, state } = found;
  if (!live) return exitCodes.done;
  if (left.signal.aborted && notes[state] !== undefined) {
    output.note(`Left run ${id}, which continues. Come back with: ai-runtime attach ${id}`);
    return exitCodes.done;
  }
  if (state === "done") output.note(`Its result: ai-runtime queue result ${id}`);
  return exitCodes[state === "done" || state === "stopped" ? state : "failed"];
}

const notes: Partial<Record<string, string>> = {
  queued: "The run waits for a worker; its output follows when it starts. Ctrl-C leaves it in the queue.",
  running: "A worker has the run.",
  waiting: "The run waits for a usage limit, or for a worker with another account.",
};

/** Runs `local`; when it finds nothing, `fleet` is asked. */
export async function orFleet<Result>(
  local: () => Result | Promise<Result>,
  fleet: () => Promise<Result | undefined>,
): Promise<Result> {
  try {
    return await local();
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== "not-found") throw error;
    const found = await fleet();
    if (found === undefined) throw error;
    return found;
  }
}
