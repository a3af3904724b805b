/** What was done, or with a dry run would be, and what could not be: as sentences. */
export interface Changes {
  changes: string[];
  failures: string[];
}
