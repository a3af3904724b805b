import { createColors } from "picocolors/picocolors.js";
import { oneLine } from "./one-line.ts";
import type { Variables } from "../core/variables.ts";

export type OutputMode = "human" | "json" | "quiet";
export type Colors = ReturnType<typeof createColors>;

/** Data goes to stdout, messages go to stderr. Decides once per stream whether to use colors. */
export interface Output {
  readonly mode: OutputMode;
  /** For stdout. */
  readonly colors: Colors;
  readonly isTerminal: boolean;
  /** For wrapped prose. */
  readonly width: number;
  /** Tables shrink to this width. Infinity without a terminal, because a program or a file needs the whole text. */
  readonly tableWidth: number;
  data(text: string): void;
  json(value: unknown): void;
  /** May contain line breaks and colors: pass foreign text through oneLine first. */
  note(text: string): void;
  success(text: string): void;
  warn(text: string): void;
  /** There is a user at a terminal to ask. */
  readonly canAsk: boolean;
  /** Without a terminal it does not ask, and the answer is no. */
  confirm(question: string): Promise<boolean>;
}

export interface Terminal {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  stdin: { isTTY?: boolean };
  variables: Variables;
}

export function createOutput(mode: OutputMode, terminal: Terminal = currentTerminal()): Output {
  const { stdout, stderr, stdin, variables } = terminal;
  // Some terminals report a width of 0.
  const width = stdout.columns || 100;
  const messageColors = createColors(wantsColor(stderr.isTTY, variables));
  const message = (mark: string, text: string): void => {
    if (mode === "human") stderr.write(mark === "" ? `${text}\n` : `${mark} ${text}\n`);
  };
  const canAsk = mode === "human" && stdin.isTTY === true && stderr.isTTY === true;
  return {
    mode,
    canAsk,
    colors: createColors(wantsColor(stdout.isTTY, variables)),
    isTerminal: stdout.isTTY === true,
    width,
    tableWidth: stdout.isTTY === true ? width : Infinity,
    data: (text) => void stdout.write(text.endsWith("\n") ? text : `${text}\n`),
    json: (value) => void stdout.write(`${JSON.stringify(value, null, stdout.isTTY ? 2 : undefined)}\n`),
    note: (text) => message("", text),
    success: (text) => message(messageColors.green("✔"), oneLine(text)),
    // Shown in every mode: stderr never carries data.
    warn: (text) => void stderr.write(`${messageColors.yellow("!")} ${oneLine(text)}\n`),
    confirm: async (question) => {
      if (!canAsk) return false;
      const { createConsola } = await import("consola");
      const consola = createConsola({ stdout: stderr, stderr });
      return (await consola.prompt(question, { type: "confirm", initial: false, cancel: "undefined" })) === true;
    },
  };
}

// The libraries disagree about NO_COLOR. The standard says: any non-empty value.
export function wantsColor(isTerminal: boolean | undefined, variables: Terminal["variables"]): boolean {
  if (variables["NO_COLOR"]) return false;
  if (variables["FORCE_COLOR"]) return variables["FORCE_COLOR"] !== "0";
  return isTerminal === true && variables["TERM"] !== "dumb";
}

function currentTerminal(): Terminal {
  return { stdout: process.stdout, stderr: process.stderr, stdin: process.stdin, variables: process.env };
}
