import { fstatSync } from "node:fs";

/** Whether our stdin may bring data by itself: a pipe, a file or a socket, and neither a terminal nor the null device. */
export function isInputPiped(): boolean {
  try {
    return !fstatSync(0).isCharacterDevice();
  } catch {
    // It is closed.
    return false;
  }
}
