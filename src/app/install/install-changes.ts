/** What an install did (or, with --dry-run, would do) and what failed, in sentences. */
export interface InstallChanges {
  changes: string[];
  failures: string[];
}
