import { shortenToLine } from "../shorten-to-line.ts";

export const terminalNotices = ["osc9", "osc777", "bell"] as const;
export type TerminalNotice = (typeof terminalNotices)[number];

const maxCharacters = 200;

/** The bytes that make a terminal notify its user; they leave the screen as it is. */
export function terminalNotice(kind: TerminalNotice, title: string, text: string): string {
  const [head, body] = [plain(title), plain(text)];
  switch (kind) {
    case "osc9":
      return `\x1b]9;${head}: ${body}\x07`;
    case "osc777":
      // A semicolon would end the title.
      return `\x1b]777;notify;${head.replaceAll(";", ",")};${body}\x07`;
    case "bell":
      return "\x07";
  }
}

const plain = (text: string): string => shortenToLine(text.replaceAll("\n", " · "), maxCharacters);
