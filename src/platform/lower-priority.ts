import { constants, setPriority } from "node:os";

/** Everybody else comes first from now on; where that is not allowed, it stays as it is. */
export function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // Being polite is not worth failing for.
  }
}
