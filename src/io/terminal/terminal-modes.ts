import { isatty } from "node:tty";

export interface TerminalModes {
  restore(): Promise<void>;
}

/** Whether the stream is a terminal: 0 is stdin, 1 stdout, 2 stderr. */
export const isTerminal = (stream: 0 | 1 | 2): boolean => isatty(stream);

/**
 * Main screen, visible cursor, no bracketed paste, no focus or mouse reports, no keyboard protocol, no style: resets what
 * a killed program leaves switched on.
 */
const plainScreen =
  "\x1b[?1049l\x1b[?25h\x1b[?2004l\x1b[?1004l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[<u\x1b[>4;0m\x1b[0m\r";

/** Saves the settings of the terminal without waiting: the program that starts next takes longer to change them. */
export function rememberTerminal(): TerminalModes {
  const settings = readSettings();
  return {
    restore: async () => {
      const saved = await settings;
      if (saved !== undefined) stty([saved]);
      // The descriptor of the terminal itself, not a file.
      if (isTerminal(2)) process.stderr.write(plainScreen);
    },
  };
}

async function readSettings(): Promise<string | undefined> {
  try {
    const child = Bun.spawn(["stty", "-g"], { stdio: ["inherit", "pipe", "ignore"] });
    const text = (await child.stdout.text()).trim();
    return (await child.exited) === 0 && /^[\w:=-]+$/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

function stty(words: string[]): void {
  Bun.spawnSync(["stty", ...words], { stdio: ["inherit", "ignore", "ignore"] });
}
