import { Failure } from "../core/failure.ts";
import { closest } from "./closest.ts";
import { reportError } from "./errors.ts";
import { guardStreams } from "./guard-streams.ts";
import { renderHelp, verbPage, versionLine } from "./help.ts";
import { programPage } from "./program-page.ts";
import { createOutput, type OutputMode } from "./output.ts";
import { type Example, ownWords, type Verb } from "./verb.ts";

export interface ProgramDefinition {
  name: string;
  summary: string;
  details?: string;
  /** Loaded only when called: each verb brings its own weight. */
  verbs: Record<string, () => Promise<{ default: Verb }>>;
  /** Sections of the program's own help after its commands. */
  moreHelp?: readonly { title: string; rows: readonly (readonly [string, string])[] }[];
  examples: readonly Example[];
}

/** Runs a program that is a table of verbs, and turns whatever happens into an exit code. */
export async function runProgram(program: ProgramDefinition, argv: string[]): Promise<void> {
  if (argv.length === 0 && isBareHookCall()) await (await import("./commands/hook.ts")).runHookCommand();
  guardStreams(program.name);
  try {
    process.exitCode = await dispatch(program, argv);
  } catch (error) {
    const report = reportError(error, program.name, modeOf(argv) === "json");
    process.stderr.write(`${report.text}\n`);
    process.exitCode = report.exitCode;
  }
}

async function dispatch(program: ProgramDefinition, argv: string[]): Promise<number> {
  const [first, ...rest] = argv;
  if (first === "--version" || first === "-v") return print(versionLine(program.name));
  if (first === "--help" || first === "-h" || first === "help") {
    return print(renderHelp(await programPage(program), process.stdout));
  }
  if (first === undefined) {
    process.stderr.write(renderHelp(await programPage(program), process.stderr));
    return 2;
  }
  if (!Object.hasOwn(program.verbs, first)) throw unknownCommand(program, first);
  const load = program.verbs[first];
  if (!load) throw unknownCommand(program, first);
  const verb = (await load()).default;
  if (asksForHelp(rest)) return print(renderHelp(verbPage(program.name, first, verb), process.stdout));
  try {
    return await verb.invoke(rest, createOutput(modeOf(rest)));
  } catch (error) {
    // Wrong usage is answered with where to read on; the other failures have hints of their own.
    if (error instanceof Failure && error.kind === "usage" && !error.hint) {
      throw new Failure("usage", error.message, { hint: `See ${program.name} ${first} --help.` });
    }
    throw error;
  }
}

/**
 * Claude up to 2.1.138 drops a hook's arguments without a word. After a downgrade our hooks are then called bare, and a
 * usage error would be held against every tool call: so what Claude starts as a hook is one.
 */
function isBareHookCall(): boolean {
  return process.env["CLAUDE_PROJECT_DIR"] !== undefined && !process.stdin.isTTY;
}

function unknownCommand(program: ProgramDefinition, word: string): Failure {
  const what = word.startsWith("-") ? `unknown option ${word}` : `unknown command "${word}"`;
  const near = closest(word, Object.keys(program.verbs));
  return new Failure("usage", near ? `${what}; did you mean ${near}?` : what, { hint: `See ${program.name} --help.` });
}

function asksForHelp(words: readonly string[]): boolean {
  const own = ownWords(words);
  return own.includes("--help") || own.includes("-h");
}

function modeOf(words: readonly string[]): OutputMode {
  const own = ownWords(words);
  if (own.includes("--json")) return "json";
  return own.includes("--quiet") || own.includes("-q") ? "quiet" : "human";
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}
