/** The leader must have been started in its own group, whose id is the pid of the leader. */
export function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // It has already ended.
  }
}
