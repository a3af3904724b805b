import { dirname } from "node:path";
import { sweepTemporaries } from "./durable.ts";

/** The temporary file of a command that is still running is younger. */
const minAgeMs = 60_000;

/** Removes our temporary files that a kill left next to a file in a foreign directory. */
export function sweepBeside(path: string, now: number): void {
  try {
    sweepTemporaries(dirname(path), minAgeMs, now);
  } catch {
    // Cleanup must not fail the actual work; the next command sweeps again.
  }
}
