import { harmlessPrograms, isHarmlessGit, splitGit } from "./harmless-programs.ts";
import { readShellCommands, type ShellCommand, type ShellRedirect, type ShellWord } from "./shell-reader.ts";
import { wrapperOf } from "./wrapper-programs.ts";

/**
 * Whether a Bash command can change or remove files: the name of the first program that can (`rm`, `git checkout`, `>`), or
 * undefined. A program that is not known to be harmless counts, and so does text that cannot be read.
 */
export function findDestroyer(script: string): string | undefined {
  const commands = readShellCommands(script);
  if (!commands) return "?";
  for (const command of commands) {
    const found = destroyerOf(command);
    if (found !== undefined) return found;
  }
  return undefined;
}

function destroyerOf({ words, redirects, input }: ShellCommand): string | undefined {
  const redirect = redirects.find(writesFile);
  return redirect ? redirect.operator : ofWords(words, input);
}

const harmlessTargets = /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/;
/** After `>&`: another name of an open file, or its end. After `>` it would be the name of a file. */
const descriptor = /^(?:\d+-?|-)$/;

function writesFile({ operator, target }: ShellRedirect): boolean {
  if (operator === "<" || operator === "<&") return false;
  if (operator === ">&" && !target.isDynamic && descriptor.test(target.text)) return false;
  return target.isDynamic || !harmlessTargets.test(target.text);
}

const assignment = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;
/** Variables that choose which program a harmless name runs, or that name one. `GIT_PAGER=cat` is usual and harmless. */
const choosesProgram =
  /^(?:PATH|LD_\w+|DYLD_\w+|BASH_ENV|ENV|IFS|PS4|PROMPT_COMMAND|PAGER|EDITOR|VISUAL|LESS\w*|GIT_\w+|RIPGREP_CONFIG_PATH)\+?=(?!(?:cat)?$)/;
const declarations = new Set(["export", "declare", "typeset", "local", "readonly"]);

function ofWords(all: readonly ShellWord[], input: string | undefined): string | undefined {
  const words = all.slice(countAssignments(all));
  const [program, ...rest] = words;
  const assigned = declarations.has(program?.text ?? "") ? all : all.slice(0, -words.length || undefined);
  const chosen = assigned.find(({ text }) => choosesProgram.test(text));
  if (chosen) return chosen.text.replace(/\+?=.*$/s, "");
  if (!program) return undefined;
  if (program.isDynamic && program.text !== "[") return "?";
  const name = program.text.split("/").at(-1) ?? "";
  // A path could lead to any program of that name.
  if (program.text.includes("/") && !/^\/(?:usr\/)?s?bin\/[^/]+$/.test(program.text)) return name;
  const wrapper = wrapperOf(name);
  if (wrapper) {
    const inner = wrapper(rest);
    if (inner === undefined) return name;
    return inner.kind === "words" ? ofWords(inner.words, input) : findDestroyer(inner.script);
  }
  if (shells.has(name)) return ofShell(name, rest, input);
  if (name === "git") return isHarmlessGit(rest) ? undefined : `git ${splitGit(rest).verb?.text ?? ""}`.trim();
  const isHarmless = Object.hasOwn(harmlessPrograms, name) ? harmlessPrograms[name] : undefined;
  if (isHarmless !== undefined && (isHarmless === true || isHarmless(rest))) return undefined;
  return name;
}

function countAssignments(words: readonly ShellWord[]): number {
  const first = words.findIndex(({ text }) => !assignment.test(text));
  return first < 0 ? words.length : first;
}

const shells = new Set(["sh", "bash", "zsh", "dash", "ksh", "ash", "fish"]);

/** A script in a file can do anything; one on the command line or in a here-document can be read. */
function ofShell(name: string, words: readonly ShellWord[], input: string | undefined): string | undefined {
  const [first] = words;
  if (first?.text === "--version") return undefined;
  // After the name of a script, `-c` is an argument of the script.
  const options = words.slice(0, countOptions(words));
  const at = options.findIndex(({ text }) => /^-[a-z]*c[a-z]*$/.test(text));
  if (at >= 0) {
    const script = words.slice(at + 1).find(({ text }) => !/^[-+]/.test(text));
    return script === undefined || script.isDynamic ? name : findDestroyer(script.text);
  }
  return words.length === 0 && input !== undefined ? findDestroyer(input) : name;
}

/** The options of a shell before its script; `-o pipefail` has a value. */
function countOptions(words: readonly ShellWord[]): number {
  const isValue = (at: number): boolean => /^(?:[-+][a-z]*[oO]|--rcfile|--init-file)$/.test(words[at - 1]?.text ?? "");
  const first = words.findIndex(({ text }, at) => !/^[-+]/.test(text) && !isValue(at));
  return first < 0 ? words.length : first;
}
