/** The result of one check, in one sentence. */
export interface CheckResult {
  readonly name: string;
  readonly state: "ok" | "warning" | "failed";
  readonly message: string;
  /** The command that fixes it; null when there is nothing to fix, or no command can. */
  readonly fix: string | null;
}

export const ok = (name: string, message: string): CheckResult => ({ name, state: "ok", message, fix: null });

export const warning = (name: string, message: string, fix: string | null): CheckResult => ({
  name,
  state: "warning",
  message,
  fix,
});

export const failed = (name: string, message: string, fix: string | null): CheckResult => ({
  name,
  state: "failed",
  message,
  fix,
});
