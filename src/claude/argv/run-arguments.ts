import { flagsOf, joinArguments, type Segment, splitArguments, valueOf } from "./flags.ts";
import type { Flag } from "./flag-table.ts";
import { promptWords } from "./new-conversation.ts";
import { stepInstructions } from "../stream/step-reader.ts";

/** The arguments of `ai-runtime run`, split into the task, claude's flags and our own. */
export interface RunArguments {
  readonly task: string | undefined;
  /** Claude's flags, unchanged. */
  readonly flags: readonly string[];
  /** Our flags: name and value, which is empty for a switch. */
  readonly own: ReadonlyMap<string, string>;
  readonly permissionMode: string | null;
  readonly maxBudgetUsd: number | null;
}

const ownSwitches = ["detach", "interactive", "json", "quiet", "no-wait", "when-available", "fleet"];
const queueFlags = ["at", "after", "after-success", "deadline", "priority", "max-parallel"];
const fleetFlags = ["repo", "ref", "labels"];
const ownValueFlags = ["max-wait", ...queueFlags, ...fleetFlags];

const ownFlag = (name: string, shape: Flag["shape"]): Flag => ({ name: `ai-runtime ${name}`, shape, restart: "drop" });
const ownFlags = new Map<string, Flag>([
  ...ownSwitches.map((name) => [`--${name}`, ownFlag(name, "switch")] as const),
  ...ownValueFlags.map((name) => [`--${name}`, ownFlag(name, "value")] as const),
  ["-q", ownFlag("quiet", "switch")],
]);
const isOwn = (name: string): boolean => name.startsWith("ai-runtime ");

/** The message is shown to the user. */
export class RunArgumentsError extends Error {}

export function readRunArguments(argv: readonly string[]): RunArguments {
  const segments = splitArguments(argv, { ours: (spelling) => ownFlags.get(spelling), subcommands: false });
  for (const { flag, words } of flagsOf(segments)) refuse(flag, words[0] ?? "");
  const rest = segments.filter((segment) => !isTaskOrOurs(segment));
  const own = flagsOf(segments).filter(({ flag }) => isOwn(flag.name));
  return {
    task: taskIn(segments),
    flags: joinArguments(rest),
    own: new Map(own.map(({ flag, values }) => [flag.name.replace("ai-runtime ", ""), values[0] ?? ""])),
    permissionMode: permissionModeOf(rest),
    maxBudgetUsd: budgetOf(rest),
  };
}

/** Refuses flags that would take away the run's session, transcript or stream. */
function refuse({ name, restart }: Flag, spelling: string): void {
  if (isOwn(name) || name === "file") return;
  if (name === "output-format" || name === "input-format") {
    throw new RunArgumentsError(`ai-runtime run sets ${spelling} itself; use --json for events as JSON`);
  }
  if (restart === "drop")
    throw new RunArgumentsError(`${spelling} cannot be used with a run, which has its own session`);
  if (restart === "never")
    throw new RunArgumentsError(`${spelling} cannot be used with a run: it could not be resumed`);
}

/** The run adds --print and --verbose itself. */
const isTaskOrOurs = (segment: Segment): boolean => {
  if (segment.kind === "flag") return isOwn(segment.flag.name) || ["print", "verbose"].includes(segment.flag.name);
  return segment.kind === "prompt" || segment.kind === "operands";
};

function taskIn(segments: readonly Segment[]): string | undefined {
  const words = promptWords(segments);
  if (words.length > 1) {
    throw new RunArgumentsError(`the task must be one argument (got ${words.length}); put it in quotes`);
  }
  return words[0];
}

/** Null: Claude's default. */
export function permissionModeOf(segments: readonly Segment[]): string | null {
  if (flagsOf(segments).some(({ flag }) => flag.name === "dangerously-skip-permissions")) return "bypassPermissions";
  return valueOf(segments, "permission-mode") ?? null;
}

function budgetOf(segments: readonly Segment[]): number | null {
  const text = valueOf(segments, "max-budget-usd");
  if (text === undefined) return null;
  const budget = Number(text);
  if (Number.isFinite(budget) && budget > 0) return budget;
  throw new RunArgumentsError(`--max-budget-usd must be a number > 0 (got "${text}")`);
}

export interface Launch {
  readonly flags: readonly string[];
  readonly sessionId: string;
  readonly resume: boolean;
  /** Budget that is left. */
  readonly budgetUsd: number | null;
}

/** The command line of one attempt. The prompt goes to stdin: it may be long, and other processes can read a command line. */
export function launchArguments({ flags, sessionId, resume, budgetUsd }: Launch): string[] {
  const segments = splitArguments(flags);
  const kept = segments.filter((segment) => {
    if (segment.kind !== "flag") return true;
    const { name, restart } = segment.flag;
    return name !== "append-system-prompt" && name !== "max-budget-usd" && !(resume && restart === "drop");
  });
  return [
    "--print",
    ...(resume ? ["--resume", sessionId] : ["--session-id", sessionId]),
    "--output-format",
    "stream-json",
    "--verbose",
    ...appendedPrompt(segments),
    ...(budgetUsd === null ? [] : ["--max-budget-usd", String(budgetUsd)]),
    ...joinArguments(kept),
  ];
}

/** The user's addition comes before ours. Claude accepts a text or a file, not both, so a file is passed alone. */
function appendedPrompt(segments: readonly Segment[]): string[] {
  const given = valueOf(segments, "append-system-prompt");
  const inFile = valueOf(segments, "append-system-prompt-file") !== undefined;
  if (inFile) return given === undefined ? [] : ["--append-system-prompt", given];
  return ["--append-system-prompt", given === undefined ? stepInstructions : `${given}\n\n${stepInstructions}`];
}
