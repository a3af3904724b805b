import { oneLine } from "./one-line.ts";

/** Words of Claude as they may stand on a terminal or in a log: lines and tabs stay, and nothing of it can paint. */
export const plainLines = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map((line) => line.split("\t").map(oneLine).join("\t"))
    .join("\n");
