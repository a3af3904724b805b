import type { Example, Verb, VerbDescription } from "./verb.ts";

/** One program's commands. Loading a table loads none of them. */
export interface ProgramTable {
  readonly name: string;
  readonly summary: string;
  readonly details?: string;
  readonly verbs: Readonly<Record<string, TableEntry>>;
  /** Started only by our own processes; no help shows them. */
  readonly internal?: Readonly<Record<string, InternalCommand>>;
  /** Programs that it starts when their name is the first word. */
  readonly otherPrograms?: readonly (readonly [name: string, summary: string])[];
  readonly examples: readonly Example[];
}

/** A table of its own, such as `ai-runtime checkpoint`; a command with options; or a command on the fast path. */
export type TableEntry =
  | { readonly kind: "table"; readonly table: ProgramTable }
  | { readonly kind: "command"; readonly load: () => Promise<{ default: Verb }> }
  | {
      readonly kind: "fast";
      readonly describe: () => Promise<{ default: VerbDescription }>;
      readonly run: (words: string[]) => Promise<void>;
    };

interface InternalCommand {
  /** How many words follow it; with any other number, it is an unknown command. Undefined: any number. */
  readonly wordCount?: number;
  readonly run: (words: string[]) => Promise<void>;
}

export const command = (load: () => Promise<{ default: Verb }>): TableEntry => ({ kind: "command", load });

/** Hooks and the status line run all the time: they skip help, colors and argument parsing. */
export const fast = (
  describe: () => Promise<{ default: VerbDescription }>,
  run: (words: string[]) => Promise<void>,
): TableEntry => ({ kind: "fast", describe, run });

/** Runs the internal or fast command that the words name, and loads everything else only when it is needed. */
export async function runTable(table: ProgramTable, argv: string[]): Promise<void> {
  const [first = "", ...rest] = argv;
  const internal = table.internal && Object.hasOwn(table.internal, first) ? table.internal[first] : undefined;
  if (internal && (internal.wordCount === undefined || internal.wordCount === rest.length)) return internal.run(rest);
  const entry = Object.hasOwn(table.verbs, first) ? table.verbs[first] : undefined;
  if (entry?.kind === "table") return runTable(entry.table, rest);
  // Any other words are accepted: a usage error has exit code 2, and with that code a hook blocks Claude.
  if (entry?.kind === "fast" && rest[0] !== "--help" && rest[0] !== "-h") return entry.run(rest);
  await (await import("./run-program.ts")).runProgram(table, argv);
}

/** What help, completions and the man page show of a command. */
export async function describeEntry(entry: TableEntry): Promise<VerbDescription> {
  switch (entry.kind) {
    case "table": {
      const { name, summary, details, examples } = entry.table;
      return {
        summary,
        ...(details ? { details } : {}),
        args: {},
        examples: [[`${name} --help`, "shows its commands"], ...examples],
      };
    }
    case "command":
      return (await entry.load()).default;
    case "fast":
      return (await entry.describe()).default;
  }
}
