import { constants, setPriority } from "node:os";

/** Lowers the priority of this process; does nothing where that is not allowed. */
export function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // Priority is not worth failing for.
  }
}
