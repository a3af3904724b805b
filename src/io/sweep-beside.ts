import { dirname } from "node:path";
import { sweepTemporaries } from "./durable.ts";

/** A temporary file of a command that is still at work is younger. */
const age = 60_000;

/** What a kill left beside a file that lies among others' files: nobody looks at it, but it is ours to take away. */
export function sweepBeside(path: string, now: number): void {
  try {
    sweepTemporaries(dirname(path), age, now);
  } catch {
    // Tidiness: it must not cost what is to be done here, and the next one sweeps again.
  }
}
