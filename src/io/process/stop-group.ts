/**
 * For a program in a PTY of ours: claude asks the system to stop its process group at Ctrl-Z (SIGTSTP), which it refuses where no
 * shell could continue the group. The host can, so this stops the group for good. The host sees it and stops its client.
 */
export function stopAsAGroup(): void {
  process.on("SIGTSTP", () => process.kill(0, "SIGSTOP"));
}
