import { Failure } from "../../core/failure.ts";
import { closest } from "./closest.ts";
import { reportError } from "../errors.ts";
import { guardStreams } from "./guard-streams.ts";
import { renderHelp, verbPage, versionLine } from "../help/help.ts";
import { programPage } from "./program-page.ts";
import { createOutput, type OutputMode } from "../output.ts";
import { describeEntry, type ProgramTable } from "./program-table.ts";
import { ownWords } from "./verb.ts";

/** Runs one command of the program, and turns the result or the error into an exit code. */
export async function runProgram(program: ProgramTable, argv: string[]): Promise<void> {
  if (argv.length === 0 && isBareHookCall()) await (await import("../commands/internal/hook.ts")).runHookCommand();
  guardStreams(program.name);
  try {
    process.exitCode = await dispatch(program, argv);
  } catch (error) {
    const report = reportError(error, program.name, modeOf(argv) === "json");
    process.stderr.write(`${report.text}\n`);
    process.exitCode = report.exitCode;
  }
}

async function dispatch(program: ProgramTable, argv: string[]): Promise<number> {
  const [first, ...rest] = argv;
  if (first === "--version" || first === "-v") return print(versionLine(program.name));
  if (first === "--help" || first === "-h" || first === "help") {
    return print(renderHelp(await programPage(program), process.stdout));
  }
  if (first === undefined) {
    process.stderr.write(renderHelp(await programPage(program), process.stderr));
    return 2;
  }
  const entry = Object.hasOwn(program.verbs, first) ? program.verbs[first] : undefined;
  if (!entry) throw unknownCommand(program, first);
  // `runTable` has run every entry of another kind, unless its help was asked for.
  if (entry.kind !== "command" || asksForHelp(rest)) {
    return print(renderHelp(verbPage(program.name, first, await describeEntry(entry)), process.stdout));
  }
  try {
    return await (await entry.load()).default.invoke(rest, createOutput(modeOf(rest)));
  } catch (error) {
    // Other failures bring their own hints.
    if (error instanceof Failure && error.kind === "usage" && !error.hint) {
      throw new Failure("usage", error.message, { hint: `See ${program.name} ${first} --help.` });
    }
    throw error;
  }
}

/**
 * Claude up to 2.1.138 silently drops a hook's arguments. After a downgrade it calls our hooks without arguments, and a usage
 * error would block every tool call: so a call by Claude without arguments counts as a hook.
 */
function isBareHookCall(): boolean {
  return process.env["CLAUDE_PROJECT_DIR"] !== undefined && !process.stdin.isTTY;
}

function unknownCommand(program: ProgramTable, word: string): Failure {
  const what = word.startsWith("-") ? `unknown option ${word}` : `unknown command "${word}"`;
  const names = [...Object.keys(program.verbs), ...(program.otherPrograms ?? []).map(([name]) => name)];
  const near = closest(word, names);
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
