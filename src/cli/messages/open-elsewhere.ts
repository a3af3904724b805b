import { currentEnvironment, type Environment } from "../../app/environment.ts";
import type { Holder } from "../../app/session/find-holder.ts";
import { isAtTerminal } from "../../app/session/at-terminal.ts";
import {
  askLine,
  findAdoptable,
  findOpenElsewhere,
  type OpenElsewhere,
  untilClosed,
} from "../../app/host/open-elsewhere.ts";
import { runPathsOf } from "../../app/run-records/register-run.ts";
import { hasFlag, splitArguments } from "../../claude/argv/flags.ts";
import { Failure } from "../../core/failure.ts";
import { exitCodes } from "../exit-codes.ts";
import { createOutput } from "../output.ts";
import { followHeadless } from "../run-view/follow-headless.ts";
import { showHosted } from "./host-messages.ts";

/**
 * The arguments to start claude with; or an exit code, when the user did something else instead. A conversation that is
 * open elsewhere is opened a second time only when the user at the terminal says so.
 */
export async function settleOpenElsewhere(argv: string[]): Promise<string[] | number> {
  const environment = currentEnvironment(process.env);
  const found = await findOpenElsewhere(environment, argv);
  return found ? settle(environment, argv, found) : argv;
}

/** `--adopt`: the same for a conversation that is open in another terminal. A process cannot be moved, so its user chooses. */
export async function settleAdoption(argv: string[]): Promise<string[] | number> {
  const environment = currentEnvironment(process.env);
  const found = await findAdoptable(environment, argv);
  if (!found) {
    throw new Failure("not-found", "--adopt: no running claude has a conversation of this directory open", {
      hint: "Continue the newest conversation with: cclaude --continue",
    });
  }
  const segments = splitArguments(argv);
  const isNamed = hasFlag(segments, "resume") || hasFlag(segments, "continue");
  return settle(environment, isNamed ? argv : ["--resume", found.sessionId, ...argv], found);
}

async function settle(environment: Environment, argv: string[], found: OpenElsewhere): Promise<string[] | number> {
  const { holder, sessionId } = found;
  if (!canAsk(argv)) throw refusal(found);
  const id = "id" in holder ? holder.id : undefined;
  switch (askWhat(`cclaude: ${opened(found)}`, id !== undefined)) {
    case "attach":
      if (id === undefined) return exitCodes.stopped;
      if (holder.kind !== "run") return showHosted(environment, id);
      return followHeadless(runPathsOf(environment), id, createOutput("human"));
    case "wait":
      process.stderr.write("cclaude: waiting for its end: type /exit there (Ctrl-C stops waiting)\n");
      await untilClosed(environment, found);
      // Claims it, because others may have waited as well.
      return settleOpenElsewhere(argv);
    case "fork":
      return ["--fork-session", ...argv];
    case "open":
      return argv;
    case "quit":
      process.stderr.write(`cclaude: nothing was started; session ${sessionId} is unchanged\n`);
      return exitCodes.stopped;
  }
}

/** In print mode the caller is a script. */
const canAsk = (argv: readonly string[]): boolean => isAtTerminal() && !hasFlag(splitArguments(argv), "print");

const opened = ({ sessionId, holder }: OpenElsewhere): string =>
  `session ${sessionId} is open in ${nameOf(holder)}; two writers split it, and the next resume sees only one part`;

const cannotMove = "a running process cannot be moved to this terminal";

function nameOf(holder: Holder): string {
  switch (holder.kind) {
    case "host":
    case "service":
    case "run":
      return `${holder.kind} ${holder.id}`;
    case "claude":
    case "cclaude":
      return `another ${holder.kind} (process ${holder.pid})`;
  }
}

function refusal(found: OpenElsewhere): Failure {
  const { holder } = found;
  const first = "id" in holder ? `Show it with: ai-runtime attach ${holder.id}` : `Close it there first: ${cannotMove}`;
  return new Failure("locked", opened(found), { hint: `${first}, or add --fork-session to continue in a copy.` });
}

type Answer = "attach" | "wait" | "fork" | "open" | "quit";

function askWhat(statement: string, isAttachable: boolean): Answer {
  const choices = [
    ...(isAttachable ? ["  a  attach to it"] : [`  w  wait until it ends there, then continue here: ${cannotMove}`]),
    "  f  fork: continue in a copy (--fork-session)",
    "  o  open it anyway",
    "  q  quit",
  ];
  const letters = isAttachable ? "a/f/o/q" : "w/f/o/q";
  process.stderr.write([statement, ...choices, `[${letters}] `].join("\n"));
  for (;;) {
    const answer = askLine()?.toLowerCase();
    if (answer === "a" && isAttachable) return "attach";
    if (answer === "w" && !isAttachable) return "wait";
    if (answer === "f") return "fork";
    if (answer === "o") return "open";
    if (answer === undefined || answer === "q" || answer === "") return "quit";
    process.stderr.write(`[${letters}] `);
  }
}
