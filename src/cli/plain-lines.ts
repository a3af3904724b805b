import { oneLine } from "./one-line.ts";

/** Makes Claude's text safe for a terminal or a log: keeps lines and tabs, removes colors and control characters. */
export const plainLines = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map((line) => line.split("\t").map(oneLine).join("\t"))
    .join("\n");
