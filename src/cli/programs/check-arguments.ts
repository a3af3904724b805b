import type { ArgDef, ArgsDef } from "citty";
import { Failure } from "../../core/failure.ts";
import { closest } from "./closest.ts";

/**
 * citty silently accepts unknown options and surplus words, so a typo could do something unintended.
 * Every word is checked against the definition before citty parses it.
 */
export function checkArguments(rawArgs: readonly string[], definition: ArgsDef, lastRepeats = false): void {
  const entries = Object.entries(definition);
  const positionals = entries.filter(([, arg]) => arg.type === "positional").map(([name]) => name);
  const words: string[] = [];
  for (let index = 0; index < rawArgs.length; index++) {
    const word = rawArgs[index] ?? "";
    if (word === "--") {
      words.push(...rawArgs.slice(index + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      words.push(word);
      continue;
    }
    const [option = word, value] = splitOnce(word, "=");
    const [name, arg] = findOption(option, entries);
    if (arg.type === "boolean") {
      if (value !== undefined) throw new Failure("usage", `option ${option} takes no value`);
      continue;
    }
    const given = value ?? rawArgs[++index];
    if (given === undefined || given === "" || (value === undefined && given.startsWith("-"))) {
      throw new Failure("usage", `option --${name} needs a value`);
    }
    if (arg.type === "enum" && arg.options && !arg.options.includes(given)) {
      throw new Failure("usage", `option --${name} must be one of ${arg.options.join(", ")} (got "${given}")`);
    }
  }
  const surplus = lastRepeats ? undefined : words[positionals.length];
  if (surplus !== undefined) throw new Failure("usage", `unexpected argument "${surplus}"`);
  const missing = entries.filter(([, arg]) => arg.type === "positional" && arg.required !== false)[words.length];
  if (missing) throw new Failure("usage", `missing argument <${missing[0]}>`);
}

/** Puts all words that are not options behind `--`. What begins with two dashes is an option, perhaps an unknown one. */
export function setFreeWordsApart(rawArgs: readonly string[], definition: ArgsDef): string[] {
  const options: string[] = [];
  const words: string[] = [];
  for (let index = 0; index < rawArgs.length; index++) {
    const word = rawArgs[index] ?? "";
    if (word === "--") {
      words.push(...rawArgs.slice(index + 1));
      break;
    }
    const [option = word, value] = splitOnce(word, "=");
    const known = knownOption(option, Object.entries(definition));
    if (!known && !word.startsWith("--")) {
      words.push(word);
      continue;
    }
    options.push(word);
    const takesNext = known && known[1].type !== "boolean" && value === undefined && index + 1 < rawArgs.length;
    if (takesNext) options.push(rawArgs[++index] ?? "");
  }
  return [...options, "--", ...words];
}

function knownOption(option: string, entries: [string, ArgDef][]): [string, ArgDef] | undefined {
  return entries
    .filter(([, arg]) => arg.type !== "positional")
    .find(([name, arg]) => {
      const aliases = "alias" in arg && arg.alias ? [arg.alias].flat() : [];
      return [`--${name}`, ...aliases.map((alias) => (alias.length === 1 ? `-${alias}` : `--${alias}`))].includes(
        option,
      );
    });
}

function findOption(option: string, entries: [string, ArgDef][]): [string, ArgDef] {
  const known = knownOption(option, entries);
  if (known) return known;
  const options = entries.filter(([, arg]) => arg.type !== "positional");
  const near = closest(
    option,
    options.map(([name]) => `--${name}`),
  );
  throw new Failure("usage", `unknown option ${option}${near ? `; did you mean ${near}?` : ""}`);
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
