import { quotePosixWord } from "../../core/posix-quote.ts";

/** Recognizes our hook commands, and quotes them for a shell. */

const PROGRAMS = ["session-snapshot", "ai-runtime"] as const;
export type HookProgram = (typeof PROGRAMS)[number];

const WINDOWS_PATH = /^(?:[A-Za-z]:[\\/]|\\\\)/;

export function isWindowsPath(path: string): boolean {
  return WINDOWS_PATH.test(path);
}

/**
 * The program of ours that a hook calls; undefined for any other hook. Only a plain call counts: the executable by its base
 * name, then the verb `hook`. A pipeline, a wrapper or an `echo` that mentions us was written by the user.
 */
export function programOfHook(hook: unknown): HookProgram | undefined {
  if (!isRecord(hook) || hook["type"] !== "command") return undefined;
  const { command, args } = hook;
  if (typeof command !== "string") return undefined;
  if (args === undefined) return programOfWords(splitShellWords(command));
  return isStringList(args) ? programOfWords([command, ...args]) : undefined;
}

/** Our status line command and the command that it runs first; undefined when the command is not ours. */
export function readStatusLineCommand(command: string): { chained: string | undefined } | undefined {
  const [executable, verb, option, chained] = splitShellWords(command) ?? [];
  if (executable === undefined || programName(executable) !== "ai-runtime" || verb !== "statusline") return undefined;
  return { chained: option === "--first" ? chained : undefined };
}

export function statusLineCommand(executable: string, chained: string | undefined): string {
  return shellCommand(executable, ["statusline", ...(chained === undefined ? [] : ["--first", chained])]);
}

/** A command line that every shell parses back into these words, whatever characters the path contains. */
export function shellCommand(executable: string, words: readonly string[]): string {
  // Old clients on Windows use cmd.exe, which has no single quotes. Forward slashes in double quotes work in cmd and bash.
  const first = isWindowsPath(executable) ? `"${executable.replaceAll("\\", "/")}"` : quotePosixWord(executable);
  return [first, ...words.map(quotePosixWord)].join(" ");
}

/** The base name of an executable, without a Windows extension. */
export function programName(executable: string): string {
  const base = executable.slice(Math.max(executable.lastIndexOf("/"), executable.lastIndexOf("\\")) + 1);
  return base.replace(/\.(?:exe|cmd)$/i, "");
}

function programOfWords(words: readonly string[] | undefined): HookProgram | undefined {
  const [executable, ...rest] = words ?? [];
  if (executable === undefined) return undefined;
  const called = asProgram(programName(executable));
  // One executable has several programs: `ai-runtime session-snapshot hook` belongs to session-snapshot.
  const named = called === "ai-runtime" ? asProgram(rest[0]) : undefined;
  const verb = named === undefined ? rest[0] : rest[1];
  return verb === "hook" ? (named ?? called) : undefined;
}

function asProgram(name: string | undefined): HookProgram | undefined {
  return PROGRAMS.find((program) => program === name);
}

/**
 * The words of a simple command; undefined when the line has operators, substitutions, globs or an open quote.
 * `~` and `$NAME` stay as written, because only the base name matters.
 */
function splitShellWords(line: string): string[] | undefined {
  // The backslashes of a Windows path are not escapes.
  const plainCharacter = isWindowsPath(line.trimStart()) ? /[^\s'"|&;<>()`*?[\]{}#!]/ : /[^\s'"|&;<>()`*?[\]{}#!\\]/;
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? "";
    if (character === "'") {
      const close = line.indexOf("'", at + 1);
      if (close < 0) return undefined;
      word = (word ?? "") + line.slice(at + 1, close);
      at = close;
    } else if (character === '"') {
      const quoted = /^"((?:[^"\\`$]|\\[^]|\$(?!\())*)"/.exec(line.slice(at));
      if (!quoted) return undefined;
      word = (word ?? "") + (quoted[1] ?? "").replace(/\\(["\\$`])/g, "$1");
      at += quoted[0].length - 1;
    } else if (character === " " || character === "\t") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (plainCharacter.test(character)) {
      word = (word ?? "") + character;
    } else if (character === "\\" && at + 1 < line.length && line[at + 1] !== "\n") {
      at += 1;
      word = (word ?? "") + (line[at] ?? "");
    } else {
      return undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
