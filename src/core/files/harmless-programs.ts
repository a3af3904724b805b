import { isPlainSedScript } from "./sed-script.ts";
import type { ShellWord } from "./shell-reader.ts";

type Words = readonly ShellWord[];
/** True: harmless with any arguments. */
type Harmless = true | ((words: Words) => boolean);

const has = (words: Words, pattern: RegExp): boolean => words.some(({ text }) => pattern.test(text));
const unless =
  (pattern: RegExp): Harmless =>
  (words) =>
    !has(words, pattern);
const onlyVersion = (words: Words): boolean =>
  words.length > 0 && words.every(({ text }) => /^(?:-v|-V|--version|--help|-h)$/.test(text));
/** The first word that is not an option names what the program does. */
const onlyVerbs =
  (...verbs: string[]) =>
  (words: Words): boolean => {
    const verb = words.find(({ text }) => !text.startsWith("-"));
    return verb === undefined ? onlyVersion(words) : !verb.isDynamic && verbs.includes(verb.text);
  };

/** The script is the first word that is not an option, or follows `-e`. Every word after an `-e` may be one. */
function isHarmlessSed(words: Words): boolean {
  const isOption = ({ text }: ShellWord): boolean => /^-(?:[nErsuz]+|-[a-z-]+)$/.test(text);
  if (has(words, /^--(?:i|f|e)/)) return false;
  const rest = words.filter((word) => !isOption(word));
  const given = rest.filter((_, at) => /^-[nErsuz]*e$/.test(rest[at - 1]?.text ?? ""));
  const scripts = given.length > 0 ? given : rest.slice(0, 1);
  // Any other option: a script in a file, in place, or one that is not known.
  const isUnknown = rest.some(({ text }) => text.startsWith("-") && text !== "-" && !/^-[nErsuz]*e$/.test(text));
  return !isUnknown && scripts.every(({ text }) => isPlainSedScript(text));
}

/** Programs that never change or remove an existing file, under a condition on their words. */
export const harmlessPrograms: Readonly<Record<string, Harmless>> = {
  ...Object.fromEntries(
    (
      "[ [[ : ag base64 basename break cal case cat cd cksum clear cmp column comm continue cut date df diff dirname " +
      "dirs du echo egrep export expr false fgrep file fmt fold for free getconf getent grep groups head hexdump history " +
      "host hostname id in jobs join jq kill less lolcat ls lsof md5sum mkdir more nl nproc od paste pgrep popd printenv printf " +
      "ps pushd pwd read readlink readonly realpath return rev rg select seq sha1sum sha256sum sha512sum shift sleep stat " +
      "strings sum tac tail test tput tr tree true tty type ulimit umask uname unset uptime users wait wc whereis which who whoami " +
      "xxd zcat zgrep local declare typeset let alias set shopt trap hash exit pkill"
    )
      .split(" ")
      .map((name): [string, Harmless] => [name, true]),
  ),
  // On macOS, `arch -arm64 rm x` runs its words; `jobs -x` and `rg --pre` run a program.
  arch: (words) => words.length === 0,
  jobs: unless(/^-[a-z]*x/),
  rg: unless(/^--(?:pre|hostname-bin)/),
  ag: unless(/^--pager/),
  hash: unless(/^-[a-z]*p/),
  history: unless(/^-[a-z]*[wanr]/),
  file: unless(/^-[a-zA-Z]*C|^--c/),
  // `trap 'rm -r x' EXIT` runs its text, and `less`, `tree`, `xxd` and `base64` can write a file.
  trap: (words) => words.length === 0,
  alias: unless(/=/),
  tree: unless(/^-[a-zA-Z]*[oR]|^--o/),
  less: unless(/^-[a-zA-Z]*[oO]|^--log-file/i),
  xxd: (words) => words.filter(({ text }) => !text.startsWith("-")).length <= 1 && !has(words, /^-[a-z]*r/),
  base64: unless(/^-o|^--o/),
  date: unless(/^-s|^--set/),
  hostname: (words) => words.every(({ text }) => text.startsWith("-")),
  shopt: true,
  touch: true,
  sort: unless(/^-[^-]*o|^--(?:o|compress)/),
  uniq: (words) => words.filter(({ text }) => !text.startsWith("-")).length <= 1,
  find: unless(/^-(?:delete|exec|execdir|ok|okdir|fprint|fprint0|fprintf|fls)$/),
  fd: unless(/^-[a-zA-Z]*[xX]|^--exec/),
  sed: isHarmlessSed,
  // A program can write through `>`, a pipe or system().
  awk: unless(/[>|@]|system|^-[^Fv]|inplace/),
  curl: unless(/^-[a-zA-Z]*[oOJcDK]|^--(?:o|rem|cookie-j|con|du|tra|std|create|etag-s|hsts|alt|lib)/),
  tar: (words) =>
    (/^-?[a-su-wyzA-Z]*t/.test(words[0]?.text ?? "") || has(words, /^--list$/)) &&
    !has(words, /^-?[a-z]*[IF]|^--(?:ch|to-c|us|rsh|inf|new-v)/),
  unzip: (words) => has(words, /^-[lvtZ]+$/),
  gh: (words) => {
    const verbs = words.filter(({ text }) => !text.startsWith("-")).map(({ text }) => text);
    return /^(?:view|list|status|diff|checks|create|comment)$/.test(verbs[1] ?? "") && verbs[0] !== "repo";
  },
  docker: onlyVerbs("ps", "images", "logs", "inspect", "version", "info", "stats", "top", "port"),
  kubectl: onlyVerbs("get", "describe", "logs", "version", "top", "explain"),
  npm: onlyVerbs("ls", "list", "view", "info", "outdated", "whoami", "ping", "root", "prefix", "bin", "help"),
  pnpm: onlyVerbs("ls", "list", "why", "outdated"),
  yarn: onlyVerbs("list", "why", "info"),
  pip: onlyVerbs("list", "show", "freeze", "check"),
  pip3: onlyVerbs("list", "show", "freeze", "check"),
  // Others may write Cargo.lock.
  cargo: onlyVerbs("search", "version"),
  go: (words) =>
    onlyVerbs("version", "env", "list", "doc", "vet")(words) && !has(words, /^-(?:w|u|mod|vettool|toolexec)/),
  systemctl: onlyVerbs("status", "list-units", "show", "is-active", "is-enabled"),
  ...Object.fromEntries(
    "node bun deno python python3 ruby perl java javac rustc gcc g++ clang cmake make tsc psql sqlite3 claude"
      .split(" ")
      .map((name): [string, Harmless] => [name, onlyVersion]),
  ),
};

/** Without `commit` and `push`: their hooks are programs of the project, and some of them change files (formatters). */
const harmlessGitVerbs = new Set(
  (
    "add annotate blame cat-file check-attr check-ignore check-ref-format cherry commit-tree count-objects describe " +
    "diff diff-files diff-index diff-tree fetch for-each-ref fsck grep help log ls-files ls-remote ls-tree merge-base name-rev " +
    "range-diff reflog remote rev-list rev-parse shortlog show show-branch show-ref status tag var verify-commit " +
    "verify-tag version whatchanged write-tree hash-object"
  ).split(" "),
);

const gitOptionsWithValue = new Set(["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"]);

/** The words from git's verb on, without the options before it. `hasConfig`: an alias, or the name of a program, may be given. */
export function splitGit(words: Words): { verb: ShellWord | undefined; rest: Words; hasConfig: boolean } {
  let at = 0;
  let hasConfig = false;
  for (; words[at]?.text.startsWith("-") ?? false; at++) {
    const text = words[at]?.text ?? "";
    hasConfig ||= text === "-c" || text.startsWith("--config-env");
    if (gitOptionsWithValue.has(text)) at++;
  }
  return { verb: words[at], rest: words.slice(at + 1), hasConfig };
}

/** Whether a git command leaves the files of the working tree as they are. */
export function isHarmlessGit(words: Words): boolean {
  const { verb, rest, hasConfig } = splitGit(words);
  if (verb === undefined) return true;
  if (verb.isDynamic || hasConfig) return false;
  const subverb = rest[0]?.text ?? "";
  switch (verb.text) {
    case "stash":
      return ["list", "show", "drop", "clear"].includes(subverb);
    case "branch":
      return true;
    case "worktree":
    case "submodule":
      return ["list", "status", "summary", ""].includes(subverb);
    case "config":
      return has(rest, /^(?:-l|--list|--get.*|get|list)$/);
    case "bisect":
      return ["log", "view", "visualize"].includes(subverb);
    default:
      return harmlessGitVerbs.has(verb.text) && !has(rest, /^(?:-o|--ou.*|--ex.*|-O.*|--op.*|--up.*)$/);
  }
}
