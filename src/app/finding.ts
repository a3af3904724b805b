/** One thing that was looked at, in one sentence. */
export interface Finding {
  readonly name: string;
  readonly state: "good" | "doubtful" | "broken";
  readonly message: string;
  /** The command that mends it; none where there is nothing to mend, or no command can. */
  readonly fix: string | null;
}

export const good = (name: string, message: string): Finding => ({ name, state: "good", message, fix: null });

export const doubtful = (name: string, message: string, fix: string | null): Finding => ({
  name,
  state: "doubtful",
  message,
  fix,
});

export const broken = (name: string, message: string, fix: string | null): Finding => ({
  name,
  state: "broken",
  message,
  fix,
});
