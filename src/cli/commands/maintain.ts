/** Not for people: the SessionEnd hook starts it, at most once a day. `clean` does the same and says what it did. */
export async function runMaintainCommand(): Promise<void> {
  (await import("../../app/background-maintenance.ts")).maintainInBackground(process.env);
}
