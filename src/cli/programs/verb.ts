import { type ArgsDef, type ParsedArgs, runCommand } from "citty";
import { currentEnvironment, type Environment } from "../../app/environment.ts";
import { checkArguments, setFreeWordsApart } from "./check-arguments.ts";
import type { Output } from "../output.ts";

export type Example = readonly [command: string, explanation: string];

/** What help, completions and the man page show. */
export interface VerbDescription<A extends ArgsDef = ArgsDef> {
  summary: string;
  /** More than the summary, for the help of this verb. */
  details?: string;
  args: A;
  /** The last positional argument may be given any number of times: `args._` has them all. */
  lastRepeats?: true;
  /** Every word that is not one of its options is text of the user, also one with a minus before it. */
  freeWords?: true;
  /** The words after `--` belong to claude and are not checked here. */
  passesOn?: true;
  examples: readonly Example[];
}

/** What a verb may need beside its arguments. */
interface Invocation {
  /** Read when it is used: a verb that does not need it also works without a home. */
  readonly environment: Environment;
  readonly rawArgs: readonly string[];
}

interface VerbDefinition<A extends ArgsDef> extends VerbDescription<A> {
  /** Returns the exit code; nothing means 0. */
  run(args: ParsedArgs<A>, output: Output, invocation: Invocation): Promise<number | void>;
}

/** A verb as the runner sees it: its description, and how to run it on unparsed words. */
export interface Verb extends VerbDescription {
  invoke(rawArgs: string[], output: Output): Promise<number>;
}

export function defineVerb<const A extends ArgsDef>(definition: VerbDefinition<A>): Verb {
  const { run, ...description } = definition;
  return {
    ...description,
    async invoke(rawArgs, output) {
      const given = definition.freeWords ? setFreeWordsApart(rawArgs, definition.args) : rawArgs;
      const own = definition.passesOn ? ownWords(given) : given;
      checkArguments(own, definition.args, definition.lastRepeats);
      const invocation: Invocation = {
        get environment() {
          return currentEnvironment(process.env);
        },
        rawArgs,
      };
      const command = {
        args: definition.args,
        run: ({ args }: { args: ParsedArgs<A> }) => run(args, output, invocation),
      };
      const { result } = await runCommand(command, { rawArgs: own });
      return typeof result === "number" ? result : 0;
    },
  };
}

/** The words before `--`. */
export const ownWords = (rawArgs: readonly string[]): string[] =>
  rawArgs.includes("--") ? rawArgs.slice(0, rawArgs.indexOf("--")) : [...rawArgs];

/** The words after `--`. */
export const wordsPassedOn = (rawArgs: readonly string[]): string[] =>
  rawArgs.includes("--") ? rawArgs.slice(rawArgs.indexOf("--") + 1) : [];

/** Every value of an option that may be repeated: the parser keeps only the last one. */
export function allValues(rawArgs: readonly string[], name: string): string[] {
  const own = ownWords(rawArgs);
  return own.flatMap((word, at) => {
    if (word.startsWith(`--${name}=`)) return [word.slice(name.length + 3)];
    return word === `--${name}` ? [own[at + 1] ?? ""] : [];
  });
}

/** Options that mean the same in every verb that has them. */
export const commonArgs = {
  json: { type: "boolean", description: "print JSON for scripts" },
  quiet: { type: "boolean", alias: "q", description: "print only data and errors" },
} as const satisfies ArgsDef;

/** The session that a verb is about. */
export const sessionArg = {
  type: "positional",
  required: false,
  description: "id or the start of it; default: the newest in this directory",
} as const satisfies ArgsDef[string];
