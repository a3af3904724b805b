/** Programs and verbs of git that are harmless with any arguments but those that `writesOutput` finds. */
const programs = new Set(
  "ls cat pwd cd echo grep rg head tail wc which type stat file du df diff cmp true test jq".split(" "),
);
const gitVerbs = new Set("status log show rev-parse ls-files blame add".split(" "));

const quoted = /'[^'\n]*'|"[^"$`\\\n]*"/g;
const writesOutput = /\s(?:-o|--ou|--ext|--pre|--hostname|-[a-zA-Z]*C|--c)/;
const plain = /^[\w\s./=:,@%+~^*?|&;-]*$/;

/**
 * Whether a command is harmless at first sight: only well-known programs, and nothing that needs a reader of shell words. Most
 * commands of Claude are, and the hook runs before every one of them.
 */
export function isPlainlyHarmless(command: string): boolean {
  const text = command.replace(quoted, "Q");
  if (!plain.test(text)) return false;
  return text.split(/&&|\|\||[;|&\n]/).every((part) => {
    const [program, verb = ""] = part.trim().split(/\s+/);
    if (program === "git") return gitVerbs.has(verb) && !writesOutput.test(part);
    if (program === "rg" || program === "file") return !writesOutput.test(part);
    return !program || programs.has(program);
  });
}
