import type { ChangedFile } from "../../app/files/diff-files.ts";
import { oneLine } from "../one-line.ts";
import type { Colors } from "../output.ts";
import { renderTable } from "../table.ts";

/** A patch for a terminal: colored, and without control characters of the files. */
export function paintPatch(patch: string, { green, red, cyan, bold }: Colors): string[] {
  return patch.split("\n").map((line) => {
    const plain = `${oneLine(line.replaceAll("\t", "    "))}\n`;
    if (/^(?:diff |index |--- |\+\+\+ |new file|deleted file|old mode|new mode|Binary)/.test(line)) return bold(plain);
    if (line.startsWith("@@")) return cyan(plain);
    return line.startsWith("+") ? green(plain) : line.startsWith("-") ? red(plain) : plain;
  });
}

const columns = [{ title: "lines", align: "right" }, { title: "change" }, { title: "file", shrinksTo: 20 }] as const;

export function statLines(files: readonly ChangedFile[], { dim }: Colors): string[] {
  const rows = files.map(({ path, kind, added, removed, isBinary }) => [
    isBinary ? "binary" : `+${added} −${removed}`,
    kind,
    oneLine(path),
  ]);
  const [head = "", ...body] = renderTable(columns, rows, Infinity);
  return [dim(head), ...body];
}
