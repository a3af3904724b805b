import { type ArgsDef, type ParsedArgs, runCommand } from "citty";
import { checkArguments } from "./check-arguments.ts";
import type { Output } from "./output.ts";

export type Example = readonly [command: string, explanation: string];

interface VerbDefinition<A extends ArgsDef> {
  summary: string;
  /** More than the summary, for the verb's own help. */
  details?: string;
  args: A;
  /** What follows `--` is claude's: it is not looked at here. */
  passesOn?: true;
  examples: readonly Example[];
  /** The exit code; nothing means done. */
  run(args: ParsedArgs<A>, output: Output, rawArgs: readonly string[]): Promise<number | void>;
}

/** A verb as the runner sees it: its description, and how to run it on raw words. */
export interface Verb {
  summary: string;
  details?: string;
  args: ArgsDef;
  passesOn?: true;
  examples: readonly Example[];
  invoke(rawArgs: string[], output: Output): Promise<number>;
}

export function defineVerb<const A extends ArgsDef>(definition: VerbDefinition<A>): Verb {
  const { run, ...description } = definition;
  return {
    ...description,
    async invoke(rawArgs, output) {
      const own = definition.passesOn ? ownWords(rawArgs) : rawArgs;
      checkArguments(own, definition.args);
      const command = { args: definition.args, run: ({ args }: { args: ParsedArgs<A> }) => run(args, output, rawArgs) };
      const { result } = await runCommand(command, { rawArgs: own });
      return typeof result === "number" ? result : 0;
    },
  };
}

/** Up to `--`. */
export const ownWords = (rawArgs: readonly string[]): string[] =>
  rawArgs.includes("--") ? rawArgs.slice(0, rawArgs.indexOf("--")) : [...rawArgs];

/** What follows `--`. */
export const wordsPassedOn = (rawArgs: readonly string[]): string[] =>
  rawArgs.includes("--") ? rawArgs.slice(rawArgs.indexOf("--") + 1) : [];

/** Every value of an option that may be given more than once: the parser keeps only the last. */
export function allValues(rawArgs: readonly string[], name: string): string[] {
  const own = ownWords(rawArgs);
  return own.flatMap((word, at) => {
    if (word.startsWith(`--${name}=`)) return [word.slice(name.length + 3)];
    return word === `--${name}` ? [own[at + 1] ?? ""] : [];
  });
}

/** Options that mean the same in every verb that has them. */
export const commonArgs = {
  json: { type: "boolean", description: "print JSON, for scripts" },
  quiet: { type: "boolean", alias: "q", description: "print nothing but data and errors" },
} as const satisfies ArgsDef;
