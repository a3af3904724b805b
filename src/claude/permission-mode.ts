/**
 * Claude's permission modes, the strictest first: the client's own ranking (2.1.326), which caps the modes of its subagents with it.
 * `dontAsk` refuses what `default` would ask about.
 */
const strictestFirst = ["plan", "dontAsk", "default", "acceptEdits", "auto", "bypassPermissions"] as const;

const [strictest] = strictestFirst;
const loosest = "bypassPermissions";

/** `manual` is the newer name of `default`. */
const canonical = (mode: string): string => (mode === "manual" ? "default" : mode);

/**
 * The stricter of two modes. A mode that is not in the table (`delegate` of 2.1.36, or one of a newer client) could be stricter than
 * any that we know, so beside a different mode only `plan`, which every client has, is certain not to permit more.
 */
function stricterMode(one: string, other: string): string {
  if (one === other) return one;
  const ranks = [one, other].map((mode) => (strictestFirst as readonly string[]).indexOf(mode));
  return strictestFirst[Math.min(...ranks)] ?? strictest;
}

/** The modes in which a claude was prompted. */
export interface PromptedModes {
  readonly first: string;
  readonly last: string;
  /** Of the last prompt, in milliseconds since 1970. */
  readonly lastTime: number;
}

/** The modes that a transcript records. */
export interface RecordedModes {
  readonly prompted?: PromptedModes | undefined;
  /** The mode that the client noted after the last prompt; it can be outdated. */
  readonly noted?: string | undefined;
}

/** A mode that a hook reported. */
export interface ReportedMode {
  readonly mode: string;
  readonly time: number;
}

export interface RestartMode {
  readonly mode: string;
  /** It permits less than the original start. */
  readonly isStricter: boolean;
}

/**
 * The mode in which a session is resumed: that of the original flags, or the newest mode of the session when it is stricter. Without
 * a mode in the flags the original mode is Claude's default, which depends on its version and settings: the first prompt shows it, or
 * a hook when there is no prompt. A mode that the client noted or a hook reported after the last prompt counts only when it is
 * stricter, because a note can be outdated and a hook can report late. Undefined: the flags stay as they are.
 */
export function restartMode(
  given: string | null,
  { prompted, noted }: RecordedModes,
  reported?: ReportedMode,
): RestartMode | undefined {
  const laterReport = reported && reported.time >= (prompted?.lastTime ?? 0) ? reported.mode : undefined;
  const modes = [prompted?.last, laterReport, noted].filter((mode) => mode !== undefined).map(canonical);
  const known = given ?? prompted?.first ?? laterReport;
  // A note alone can come from an earlier claude, so it does not show the original mode: only the strictest is certain not to permit more.
  if (known === undefined && noted !== strictest) return undefined;
  const original = canonical(known ?? strictest);
  const mode = modes.reduce(stricterMode, original);
  const isStricter = mode !== original;
  // The flag would only repeat what is there; Claude asks for a confirmation when it names the loosest mode.
  if (!isStricter && (given !== null || mode === loosest)) return undefined;
  return { mode, isStricter };
}
