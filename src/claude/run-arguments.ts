import { flagsOf, joinArguments, type Segment, splitArguments, valueOf } from "./flags.ts";
import type { Flag } from "./flag-table.ts";
import { stepInstructions } from "./step-reader.ts";

/** The words behind `ai-runtime run`, parted into whose they are. */
export interface RunArguments {
  readonly task: string | undefined;
  /** For claude, as they were given. */
  readonly flags: readonly string[];
  /** Ours: the name and, where it takes one, its value. */
  readonly own: ReadonlyMap<string, string>;
  readonly permissionMode: string | null;
  readonly maxBudgetUsd: number | null;
}

const switches = ["detach", "interactive", "json", "quiet", "no-wait"];
const valued = ["max-wait"];

const ownFlag = (name: string, shape: Flag["shape"]): Flag => ({ name: `ai-runtime ${name}`, shape, restart: "drop" });
const ownFlags = new Map<string, Flag>([
  ...switches.map((name) => [`--${name}`, ownFlag(name, "switch")] as const),
  ...valued.map((name) => [`--${name}`, ownFlag(name, "value")] as const),
  ["-q", ownFlag("quiet", "switch")],
]);
const isOwn = (name: string): boolean => name.startsWith("ai-runtime ");

/** A sentence about what is wrong with them, for the user. */
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

/** What would take away what a run lives on: its session, its transcript, its stream. */
function refuse({ name, restart }: Flag, spelling: string): void {
  if (isOwn(name) || name === "file") return;
  if (name === "output-format" || name === "input-format") {
    throw new RunArgumentsError(`${spelling} is chosen by the run itself; use --json for its events as JSON`);
  }
  if (restart === "drop")
    throw new RunArgumentsError(`${spelling} does not go with a run, which has a session of its own`);
  if (restart === "never") throw new RunArgumentsError(`${spelling} does not go with a run: nothing could be resumed`);
}

/** What the run says by itself is not said twice. */
const isTaskOrOurs = (segment: Segment): boolean => {
  if (segment.kind === "flag") return isOwn(segment.flag.name) || ["print", "verbose"].includes(segment.flag.name);
  return segment.kind === "prompt" || segment.kind === "operands";
};

function taskIn(segments: readonly Segment[]): string | undefined {
  const words = segments.flatMap((segment) => {
    if (segment.kind === "prompt") return segment.words;
    return segment.kind === "operands" ? segment.words.slice(1) : [];
  });
  if (words.length > 1) {
    throw new RunArgumentsError(`the task is one argument, and here are ${words.length}; put it in quotes`);
  }
  return words[0];
}

/** Null is Claude's own default. */
export function permissionModeOf(segments: readonly Segment[]): string | null {
  if (flagsOf(segments).some(({ flag }) => flag.name === "dangerously-skip-permissions")) return "bypassPermissions";
  return valueOf(segments, "permission-mode") ?? null;
}

function budgetOf(segments: readonly Segment[]): number | null {
  const text = valueOf(segments, "max-budget-usd");
  if (text === undefined) return null;
  const budget = Number(text);
  if (Number.isFinite(budget) && budget > 0) return budget;
  throw new RunArgumentsError(`--max-budget-usd is "${text}", which is no amount of money`);
}

export interface Launch {
  readonly flags: readonly string[];
  readonly sessionId: string;
  readonly resume: boolean;
  /** What may still be spent. */
  readonly budgetUsd: number | null;
}

/** The command line of one start; the prompt comes on stdin, where it may be long and is nobody else's to read. */
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

/** The user's own addition stays in front of ours. Claude takes either a text or a file, so a file stays alone. */
function appendedPrompt(segments: readonly Segment[]): string[] {
  const given = valueOf(segments, "append-system-prompt");
  const inFile = valueOf(segments, "append-system-prompt-file") !== undefined;
  if (inFile) return given === undefined ? [] : ["--append-system-prompt", given];
  return ["--append-system-prompt", given === undefined ? stepInstructions : `${given}\n\n${stepInstructions}`];
}
