import type { Talk } from "../../app/talk.ts";
import { hasFlag, joinArguments, type Segment, splitArguments } from "../../claude/flags.ts";
import { reportError } from "../errors.ts";
import { guardStreams } from "../guard-streams.ts";
import { exitCodes } from "../exit-codes.ts";
import { showCountdown } from "../countdown.ts";
import { describeNote } from "../cclaude-words.ts";
import { renderHelp, versionLine } from "../help.ts";

/** A drop-in for claude: all but a lone --version, --help or --explain goes to claude untouched. */
export async function run(argv: string[]): Promise<void> {
  const only = argv.length === 1 ? argv[0] : undefined;
  if (only === "--version") return print(versionLine("cclaude"));
  if (only === "--help") return print(renderHelp((await import("../cclaude-help.ts")).cclaudePage, process.stdout));
  try {
    if (only === "--explain") return print((await import("../explain.ts")).explain(process.env));
    const detachable = withoutDetachable(argv);
    if (detachable && isConversation(splitArguments(detachable))) {
      process.exitCode = await (await import("../commands/detachable.ts")).runDetachableClaude(detachable);
      return;
    }
    const { runClaude } = await import("../../app/cclaude.ts");
    const end = await runClaude(detachable ?? argv, process.env, talk);
    if ("own" in end) {
      process.exitCode = exitCodes[end.own];
      return;
    }
    // Died of a signal: so do we, for a shell to see the same as from claude itself.
    if (end.signal) process.kill(process.pid, end.signal);
    process.exitCode = end.exitCode;
  } catch (error) {
    const report = reportError(error, "cclaude", false);
    process.stderr.write(`${report.text}\n`);
    process.exitCode = report.exitCode;
  }
}

/** A subcommand, --version and --help have their answer at once: there is nothing to leave and to find again. */
function isConversation(segments: readonly Segment[]): boolean {
  const isQuestion = hasFlag(segments, "version") || hasFlag(segments, "help");
  return !isQuestion && segments.every(({ kind }) => kind !== "subcommand");
}

const detachableFlag = { name: "detachable", shape: "switch", restart: "drop" } as const;

/** The words for claude when ours is among them: it is the only one that is ever taken out. */
function withoutDetachable(argv: readonly string[]): string[] | undefined {
  if (!argv.includes("--detachable")) return undefined;
  const segments = splitArguments(argv, { ours: (word) => (word === "--detachable" ? detachableFlag : undefined) });
  const rest = segments.filter((segment) => segment.kind !== "flag" || segment.flag !== detachableFlag);
  return rest.length === segments.length ? undefined : joinArguments(rest);
}

function print(text: string): void {
  guardStreams("cclaude");
  process.stdout.write(text);
}

const talk: Talk = {
  say: (note) => void process.stderr.write(`cclaude: ${describeNote(note, Date.now())}\n`),
  countdown: (until) => (process.stderr.isTTY ? showCountdown(process.stderr, until, Date.now()) : undefined),
};
