import { createColors } from "picocolors/picocolors.js";
import { oneLine } from "./one-line.ts";

export type OutputMode = "human" | "json" | "quiet";
export type Colors = ReturnType<typeof createColors>;

/** Where words go: data to stdout, talk to stderr. Colour is decided here, once for each of the two. */
export interface Output {
  readonly mode: OutputMode;
  /** For what goes to stdout. */
  readonly colors: Colors;
  readonly isTerminal: boolean;
  readonly width: number;
  data(text: string): void;
  json(value: unknown): void;
  /** May have lines and colours: words from data go through oneLine before. */
  note(text: string): void;
  success(text: string): void;
  warn(text: string): void;
  /** Never asks without a terminal: then the answer is no. */
  confirm(question: string): Promise<boolean>;
}

export interface Terminal {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  stdin: { isTTY?: boolean };
  variables: Record<string, string | undefined>;
}

export function createOutput(mode: OutputMode, terminal: Terminal = currentTerminal()): Output {
  const { stdout, stderr, stdin, variables } = terminal;
  const talkColors = createColors(wantsColor(stderr.isTTY, variables));
  const talk = (mark: string, text: string): void => {
    if (mode === "human") stderr.write(mark === "" ? `${text}\n` : `${mark} ${text}\n`);
  };
  return {
    mode,
    colors: createColors(wantsColor(stdout.isTTY, variables)),
    isTerminal: stdout.isTTY === true,
    // Some terminals do not know theirs, and say 0.
    width: stdout.columns || 100,
    data: (text) => void stdout.write(text.endsWith("\n") ? text : `${text}\n`),
    json: (value) => void stdout.write(`${JSON.stringify(value, null, stdout.isTTY ? 2 : undefined)}\n`),
    note: (text) => talk("", text),
    success: (text) => talk(talkColors.green("✔"), oneLine(text)),
    // A warning is worth reading in every mode, and stderr is never data.
    warn: (text) => void stderr.write(`${talkColors.yellow("!")} ${oneLine(text)}\n`),
    confirm: async (question) => {
      if (!stdin.isTTY || !stderr.isTTY || mode !== "human") return false;
      const { createConsola } = await import("consola");
      const consola = createConsola({ stdout: stderr, stderr });
      return (await consola.prompt(question, { type: "confirm", initial: false, cancel: "undefined" })) === true;
    },
  };
}

// The three libraries read NO_COLOR in three ways; ours is the standard's: any non-empty value.
export function wantsColor(isTerminal: boolean | undefined, variables: Terminal["variables"]): boolean {
  if (variables["NO_COLOR"]) return false;
  if (variables["FORCE_COLOR"]) return variables["FORCE_COLOR"] !== "0";
  return isTerminal === true && variables["TERM"] !== "dumb";
}

function currentTerminal(): Terminal {
  return { stdout: process.stdout, stderr: process.stderr, stdin: process.stdin, variables: process.env };
}
