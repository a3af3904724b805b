import { findFlag, type Flag, isSubcommand } from "./flag-table.ts";

/**
 * A part of a command line; `words` are the original words. An unknown flag keeps the words up to the next flag: they may be its
 * values or the prompt, and losing a value could lose a restriction.
 */
export type Segment =
  | {
      readonly kind: "flag";
      readonly flag: Flag;
      readonly words: readonly string[];
      readonly values: readonly string[];
    }
  | { readonly kind: "cluster"; readonly words: readonly string[]; readonly members: readonly Segment[] }
  | { readonly kind: "unknown"; readonly words: readonly string[] }
  | { readonly kind: "prompt"; readonly words: readonly [string] }
  /** `--` and all words after it. */
  | { readonly kind: "operands"; readonly words: readonly string[] }
  | { readonly kind: "subcommand"; readonly words: readonly string[] };

export interface SplitOptions {
  /** Our own flags, which may appear among claude's. */
  readonly ours?: (spelling: string) => Flag | undefined;
  /** False where the first word is always a prompt. */
  readonly subcommands?: boolean;
}

/** Splits a command line as claude's own parser does. `joinArguments` returns the same words again. */
export function splitArguments(argv: readonly string[], { ours, subcommands = true }: SplitOptions = {}): Segment[] {
  const segments: Segment[] = [];
  const find = (spelling: string): Flag | undefined => ours?.(spelling) ?? findFlag(spelling);
  for (let at = 0; at < argv.length;) {
    const mayBeSubcommand = subcommands && !segments.some(({ kind }) => kind === "prompt");
    const segment = readSegment(argv, at, mayBeSubcommand, find);
    segments.push(segment);
    at += segment.words.length;
  }
  return segments;
}

export const joinArguments = (segments: readonly Segment[]): string[] => segments.flatMap(({ words }) => words);

/** All flags in order, including each flag of a cluster (`-pc`). */
export function flagsOf(segments: readonly Segment[]): Extract<Segment, { kind: "flag" }>[] {
  return segments.flatMap((segment) => {
    if (segment.kind === "cluster") return flagsOf(segment.members);
    return segment.kind === "flag" ? [segment] : [];
  });
}

export const hasFlag = (segments: readonly Segment[], name: string): boolean =>
  flagsOf(segments).some(({ flag }) => flag.name === name);

/** The last value wins, as in claude. */
export const valueOf = (segments: readonly Segment[], name: string): string | undefined =>
  flagsOf(segments)
    .findLast(({ flag }) => flag.name === name)
    ?.values.at(-1);

/** Whether a restart is possible: this is a conversation, it runs here, and it leaves a transcript. */
export function isSupervisable(segments: readonly Segment[]): boolean {
  if (segments.some(({ kind }) => kind === "subcommand")) return false;
  return flagsOf(segments).every(({ flag }) => flag.restart !== "never");
}

type Find = (spelling: string) => Flag | undefined;

function readSegment(argv: readonly string[], at: number, mayBeSubcommand: boolean, find: Find): Segment {
  const word = argv[at] ?? "";
  if (word === "--") return { kind: "operands", words: argv.slice(at) };
  if (!looksLikeFlag(word)) {
    if (mayBeSubcommand && isSubcommand(word)) return { kind: "subcommand", words: argv.slice(at) };
    return { kind: "prompt", words: [word] };
  }
  const flag = find(word);
  if (flag) return readFlag(flag, word, argv.slice(at + 1));
  return readCluster(argv, at) ?? readAssignment(word, find) ?? readUnknown(argv, at);
}

function readFlag(flag: Flag, word: string, rest: readonly string[]): Segment {
  const values = rest.slice(0, countValues(flag, rest));
  return { kind: "flag", flag, words: [word, ...values], values };
}

function countValues({ shape }: Flag, rest: readonly string[]): number {
  const [next] = rest;
  if (shape === "switch" || next === undefined) return 0;
  // A required value is the next word, even one that looks like a flag.
  if (shape === "value") return 1;
  if (shape === "optional") return looksLikeFlag(next) ? 0 : 1;
  const end = rest.findIndex((word, index) => index > 0 && looksLikeFlag(word));
  return end < 0 ? rest.length : end;
}

/** `-pc`, `-rID`, `-pr ID`: the first letter that takes a value takes the rest of the word, or the next word. */
function readCluster(argv: readonly string[], at: number): Segment | undefined {
  const word = argv[at] ?? "";
  if (word.startsWith("--")) return undefined;
  const members: Segment[] = [];
  for (let index = 1; index < word.length; index++) {
    const spelling = `-${word[index]}`;
    const flag = findFlag(spelling);
    if (!flag) return undefined;
    if (flag.shape === "switch") {
      members.push({ kind: "flag", flag, words: [spelling], values: [] });
      continue;
    }
    const rest = word.slice(index + 1);
    if (rest !== "") {
      members.push({ kind: "flag", flag, words: [spelling, rest], values: [rest] });
      return { kind: "cluster", words: [word], members };
    }
    const last = readFlag(flag, spelling, argv.slice(at + 1));
    return { kind: "cluster", words: [word, ...last.words.slice(1)], members: [...members, last] };
  }
  return { kind: "cluster", words: [word], members };
}

function readAssignment(word: string, find: Find): Segment | undefined {
  const equals = word.indexOf("=");
  const flag = equals < 0 ? undefined : find(word.slice(0, equals));
  return flag && { kind: "flag", flag, words: [word], values: [word.slice(equals + 1)] };
}

function readUnknown(argv: readonly string[], at: number): Segment {
  const end = argv.findIndex((word, index) => index > at && looksLikeFlag(word));
  const words = argv.slice(at, end < 0 ? argv.length : end);
  // A flag with an attached value takes no further words.
  return { kind: "unknown", words: words[0]?.includes("=") ? words.slice(0, 1) : words };
}

const looksLikeFlag = (word: string): boolean => word.length > 1 && word.startsWith("-");
