import type { IBufferCell, IBufferLine } from "@xterm/headless";
import { penOf, type Pen, type ScreenInternals } from "./screen-internals.ts";
import { linkOf, styleOf } from "./screen-style.ts";

type Links = ScreenInternals["_oscLinkService"];

/** The text of one row up to a column; it starts and ends with a plain pen. */
export function rowText(line: IBufferLine, end: number, links: Links): string {
  let text = "";
  let style = "";
  let link = 0;
  let cell: IBufferCell | undefined;
  for (let x = 0; x < end; x++) {
    cell = line.getCell(x, cell);
    if (!cell || cell.getWidth() === 0) continue;
    const pen = penOf(cell);
    const own = styleOf(pen);
    if (own !== style) text += `\x1b[${own === "" ? "0" : `0;${own}`}m`;
    style = own;
    const ownLink = linkOf(pen);
    if (ownLink !== link) text += linkText(ownLink, links);
    link = ownLink;
    text += cell.getChars() || " ";
  }
  if (link !== 0) text += linkText(0, links);
  return style === "" ? text : `${text}\x1b[0m`;
}

/** The characters of a row that are neither dim nor reversed; blanks replace the others. */
export function firmText(line: IBufferLine, columns: number): string {
  let text = "";
  let cell: IBufferCell | undefined;
  for (let x = 0; x < columns; x++) {
    cell = line.getCell(x, cell);
    if (!cell || cell.getWidth() === 0) continue;
    text += cell.isDim() || cell.isInverse() ? " " : cell.getChars() || " ";
  }
  return text.trimEnd();
}

/** Switches to this pen. */
export function penText(pen: Pen, links: Links): string {
  const style = styleOf(pen);
  // A style does not end the link of the pen before.
  return `\x1b[${style === "" ? "0" : `0;${style}`}m${linkText(linkOf(pen), links)}`;
}

function linkText(id: number, links: Links): string {
  const link = id === 0 ? undefined : links.getLinkData(id);
  if (!link) return "\x1b]8;;\x1b\\";
  return `\x1b]8;${link.id === undefined ? "" : `id=${link.id}`};${link.uri}\x1b\\`;
}

/** The length of a row without trailing blanks; a blank with its own color counts. */
export function writtenLength(line: IBufferLine, columns: number): number {
  let cell: IBufferCell | undefined;
  for (let x = columns - 1; x >= 0; x--) {
    cell = line.getCell(x, cell);
    if (!cell) continue;
    const isBlank = (cell.getChars() || " ") === " " && cell.getWidth() > 0;
    if (!isBlank || styleOf(penOf(cell)) !== "") return x + 1;
  }
  return 0;
}
