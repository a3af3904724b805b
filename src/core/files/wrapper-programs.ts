import type { ShellWord } from "./shell-reader.ts";

/** What a wrapper runs: words of a command, or a script for a shell. Undefined: unknown. */
export type Wrapped = { kind: "words"; words: readonly ShellWord[] } | { kind: "script"; script: string } | undefined;

type Unwrap = (words: readonly ShellWord[]) => Wrapped;

interface WrapperRow {
  /** Options whose value is the next word. */
  valued?: string;
  /** Words between the options and the command, as the duration of `timeout`. */
  operands?: number;
}

/** Programs that run the command in their arguments. */
const rows: Record<string, WrapperRow> = {
  builtin: {},
  caffeinate: { valued: "-t -w" },
  chronic: {},
  chrt: { valued: "-p", operands: 1 },
  command: {},
  doas: { valued: "-u -C" },
  env: { valued: "-u --unset -C --chdir" },
  exec: { valued: "-a" },
  flock: { valued: "-w -E --timeout", operands: 1 },
  ionice: { valued: "-c -n -p --class --classdata" },
  nice: { valued: "-n --adjustment" },
  nohup: {},
  setsid: {},
  stdbuf: { valued: "-i -o -e --input --output --error" },
  sudo: { valued: "-u -g -h -p -C -T -r -t -D -R --user --group --host --prompt --chdir" },
  time: { valued: "-f --format" },
  timeout: { valued: "-s -k --signal --kill-after", operands: 1 },
  xargs: {
    valued: "-a -d -E -I -L -n -P -s --arg-file --delimiter --replace --max-lines --max-args --max-procs --max-chars",
  },
};

const special: Record<string, Unwrap> = {
  busybox: (words) => ({ kind: "words", words }),
  /** The words after a `:::` are input. */
  parallel: () => undefined,
  eval: (words) =>
    words.some(({ isDynamic }) => isDynamic)
      ? undefined
      : { kind: "script", script: words.map((w) => w.text).join(" ") },
};

export function wrapperOf(name: string): Unwrap | undefined {
  if (Object.hasOwn(special, name)) return special[name];
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  return row && ((words) => unwrap(name, row, words));
}

function unwrap(name: string, { valued = "", operands = 0 }: WrapperRow, words: readonly ShellWord[]): Wrapped {
  const withValue = new Set(valued.split(" "));
  let at = 0;
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? "";
    if (text === "--") {
      at++;
      break;
    }
    // `command -v rm` and `sudo -l` only look.
    if (name === "command" && /^-[vV]/.test(text)) return { kind: "words", words: [] };
    if (name === "env" && /^-[a-zA-Z]*S|^--s/.test(text)) return undefined;
    if (name === "flock" && text === "-c") return undefined;
    if (name === "time" && /^-[a-z]*o|^--o/.test(text)) return undefined;
    if (withValue.has(text)) at++;
    else if (!text.startsWith("-") || text === "-") break;
  }
  // Without a command, `xargs` prints, `env` lists the variables, and `sudo -s` starts a shell.
  const rest = words.slice(at + operands);
  if (rest.length === 0 && name === "sudo" && words.some(({ text }) => /^-[a-z]*[si]|^--[sl]/.test(text)))
    return undefined;
  // The words that it reads come last: they can be the program, or the verb of git.
  if (name === "xargs" && rest.length > 0) return { kind: "words", words: [...rest, { text: "$@", isDynamic: true }] };
  return { kind: "words", words: rest };
}
