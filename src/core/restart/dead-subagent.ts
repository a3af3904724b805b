import { maskSecrets } from "../mask-secrets.ts";

/** Why a subagent ended before its work was done. `killed`: it ended together with Claude Code. */
export type SubagentDeath = "limit" | "api-error" | "killed";

/** A subagent that ended before its work was done, and what is known of that work. Its texts are masked. */
export interface DeadSubagent {
  readonly id: string;
  /** The type of agent; null where the client does not record it. */
  readonly type: string | null;
  /** What it was started for. */
  readonly task: string;
  readonly death: SubagentDeath;
  /** When it was last heard of, in milliseconds since 1970. */
  readonly time: number;
  /** Its last tool call. */
  readonly lastStep: string | null;
  /** The last thing that it said. */
  readonly lastWords: string | null;
  /** The files that it wrote. */
  readonly files: readonly string[];
  /** The path of its transcript. */
  readonly transcript: string;
}

/** How the transcript of a subagent ends. `open`: a prompt or a tool result has no answer, or a call no result. */
export type SubagentEnding = "finished" | "stopped" | "open" | "limit" | "api-error";

/**
 * Whether a subagent died, and how. One that the user or Claude stopped did not; one whose claude still runs may be at work.
 * `isStopped`: the conversation says that Claude stopped it.
 */
export function judgeSubagent(
  ending: SubagentEnding,
  { isRunning, isStopped }: { readonly isRunning: boolean; readonly isStopped: boolean },
): SubagentDeath | undefined {
  if (ending === "limit" || ending === "api-error") return ending;
  return ending === "open" && !isRunning && !isStopped ? "killed" : undefined;
}

/** After this time the user has probably moved on. */
const maxAgeMs = 7 * 86_400_000;

/** What Claude has seen of a dead subagent. Times are milliseconds since 1970. */
export interface SeenByClaude {
  /** When a message about it was last made; null when none was. */
  readonly toldAt: number | null;
  /** When Claude last answered. */
  readonly answeredAt: number | null;
  /** When the last turn began. */
  readonly promptedAt: number | null;
}

/**
 * Whether Claude must still learn of it. An answer after our message settles it. So does a later turn, for an error: the
 * conversation shows that. A killed one leaves no trace in it.
 */
export function needsTelling({ death, time }: DeadSubagent, seen: SeenByClaude, now: number): boolean {
  if (now - time > maxAgeMs) return false;
  if (seen.toldAt !== null) return (seen.answeredAt ?? 0) <= seen.toldAt;
  return death === "killed" || (seen.promptedAt ?? 0) <= time;
}

const maxTaskCharacters = 300;
const maxStepCharacters = 300;
const maxWordsCharacters = 1_200;
const maxFiles = 20;

/** Shortens and masks its texts, so that they can be kept and told. */
export const makeDeadSubagent = (raw: DeadSubagent): DeadSubagent => ({
  ...raw,
  task: startOf(raw.task, maxTaskCharacters),
  lastStep: raw.lastStep === null ? null : startOf(raw.lastStep, maxStepCharacters),
  // The end of what it said is the newest.
  lastWords: raw.lastWords === null ? null : endOf(raw.lastWords, maxWordsCharacters),
  files: raw.files.slice(-maxFiles),
});

const flat = (text: string): string => maskSecrets(text).replace(/\s+/g, " ").trim();

const startOf = (text: string, length: number): string => {
  const line = flat(text);
  return line.length <= length ? line : `${line.slice(0, length - 1).toWellFormed()}…`;
};

const endOf = (text: string, length: number): string => {
  const line = flat(text);
  return line.length <= length ? line : `…${line.slice(1 - length).toWellFormed()}`;
};
