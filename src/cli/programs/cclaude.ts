import { isAtTerminal } from "../../app/session/at-terminal.ts";
import type { Announcer } from "../../app/cclaude/announcer.ts";
import { hasFlag, joinArguments, type Segment, splitArguments } from "../../claude/argv/flags.ts";
import { reportError } from "../errors.ts";
import { guardStreams } from "./guard-streams.ts";
import { exitCodes } from "../exit-codes.ts";
import { showCountdown } from "../run-view/countdown.ts";
import { contextOfSession, describeRecovery } from "../messages/recovery-messages.ts";
import { renderHelp, versionLine } from "../help/help.ts";

/** A drop-in for claude: every argument except a lone --version, --help or --explain goes to claude unchanged. */
export async function runCclaude(argv: string[]): Promise<void> {
  const only = argv.length === 1 ? argv[0] : undefined;
  if (only === "--version") return print(versionLine("cclaude"));
  if (only === "--help")
    return print(renderHelp((await import("../help/cclaude-help.ts")).cclaudePage, process.stdout));
  try {
    if (only === "--explain") return print((await import("../messages/explain.ts")).explain(process.env));
    const { words, flag, adopts } = withoutOurFlags(argv);
    const chosen = await settleConversation(words, adopts);
    if (typeof chosen === "number") {
      process.exitCode = chosen;
      return;
    }
    await announceInterrupted(chosen);
    if ((flag !== undefined || isAtTerminal()) && (await runHosted(chosen, flag))) return;
    const { runClaude } = await import("../../app/cclaude/cclaude.ts");
    const end = await runClaude(chosen, process.env, announcer);
    if ("own" in end) {
      process.exitCode = exitCodes[end.own];
      return;
    }
    // Ends by the same signal, so that a shell sees what it would see from claude itself.
    if (end.signal) process.kill(process.pid, end.signal);
    process.exitCode = end.exitCode;
  } catch (error) {
    const report = reportError(error, "cclaude", false);
    process.stderr.write(`${report.text}\n`);
    process.exitCode = report.exitCode;
  }
}

/** Asks only when an existing conversation is opened, so that any other start costs nothing. */
async function settleConversation(argv: string[], adopts: boolean): Promise<string[] | number> {
  if (adopts) return (await import("../messages/open-elsewhere.ts")).settleAdoption(argv);
  const segments = splitArguments(argv);
  if (!hasFlag(segments, "resume") && !hasFlag(segments, "continue")) return argv;
  await (await import("../messages/moved-project.ts")).announceMoved();
  const { hasHub } = await import("../../app/hub/has-hub.ts");
  if (hasHub(process.env)) await (await import("../messages/hub-messages.ts")).settleHub(argv);
  return (await import("../messages/open-elsewhere.ts")).settleOpenElsewhere(argv);
}

/** Returns false when claude is to run here: the user wants it, or no host can start. */
async function runHosted(argv: string[], flag: HostingFlag | undefined): Promise<boolean> {
  const { wantsHost } = await import("../../app/host/wants-host.ts");
  if (!wantsHost(process.env, argv, flag)) return false;
  const exitCode = await (await import("../commands/internal/hosted-claude.ts")).runHostedClaude(argv);
  if (exitCode === undefined) return false;
  process.exitCode = exitCode;
  return true;
}

/** Only to a user at a terminal, so that a script costs nothing and reads nothing new. */
async function announceInterrupted(argv: readonly string[]): Promise<void> {
  if (!isAtTerminal()) return;
  if (!(await import("../../app/cclaude/left-here.ts")).hasLeftRecords(process.env)) return;
  (await import("../messages/interrupted-here.ts")).announceInterruptedHere(argv);
}

type HostingFlag = "direct" | "detachable";

/** `--detachable` is the default on a terminal; it overrides the settings. */
const ourFlags = {
  "--direct": { name: "direct", shape: "switch", restart: "drop" },
  "--detachable": { name: "detachable", shape: "switch", restart: "drop" },
  "--adopt": { name: "adopt", shape: "switch", restart: "drop" },
} as const;

interface OwnFlags {
  /** The arguments for claude. */
  readonly words: string[];
  /** The last one given. */
  readonly flag: HostingFlag | undefined;
  readonly adopts: boolean;
}

function withoutOurFlags(argv: string[]): OwnFlags {
  if (!argv.some((word) => Object.hasOwn(ourFlags, word))) return { words: argv, flag: undefined, adopts: false };
  const ours = (word: string): (typeof ourFlags)[keyof typeof ourFlags] | undefined =>
    Object.hasOwn(ourFlags, word) ? ourFlags[word as keyof typeof ourFlags] : undefined;
  const segments = splitArguments(argv, { ours });
  const isOurs = (segment: Segment): boolean =>
    segment.kind === "flag" && Object.values(ourFlags).some((flag) => flag === segment.flag);
  const names = segments.flatMap((segment) => (segment.kind === "flag" && isOurs(segment) ? [segment.flag.name] : []));
  const flag = names.findLast((name): name is HostingFlag => name === "direct" || name === "detachable");
  const words = joinArguments(segments.filter((segment) => !isOurs(segment)));
  return { words, flag, adopts: names.includes("adopt") };
}

function print(text: string): void {
  guardStreams("cclaude");
  process.stdout.write(text);
}

const announcer: Announcer = {
  announce: (event, session) => {
    process.stderr.write(`cclaude: ${describeRecovery(event, contextOfSession(session, Date.now()))}\n`);
  },
  offerRestore: async (point) => (await import("../messages/offer-restore.ts")).askToRestore(point),
  countdown: (until) => (process.stderr.isTTY ? showCountdown(process.stderr, until, Date.now()) : undefined),
};
