/** The group must have been started as one of its own: its number is its leader's pid. */
export function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // It ended by itself in the meantime.
  }
}
