import type { IUnicodeVersionProvider } from "@xterm/headless";

const plane = 0x10000;
const unknown = 3;
const widths = new Uint8Array(plane).fill(unknown);

/** Of the emulator's packed properties of a character: its width is in bits 1 and 2, bit 0 joins it to the one before. */
const widthIn = (properties: number): number => (properties >> 1) & 3;
const pack = (width: number, joins: boolean): number => (width << 1) | (joins ? 1 : 0);

/** How many columns a character takes by today's Unicode: the emulator's own table is of version 6, from before most emoji. */
export const currentUnicode: IUnicodeVersionProvider = {
  version: "current",
  wcwidth: widthOf,
  charProperties: (codepoint, preceding) => {
    const width = widthOf(codepoint);
    const before = widthIn(preceding);
    // A mark without anything to stand on takes a place of its own.
    const joins = width === 0 && preceding !== 0 && before !== 0;
    return pack(joins ? before : width, joins);
  },
};

function widthOf(codepoint: number): 0 | 1 | 2 {
  if (codepoint >= plane) return measure(codepoint);
  const known = widths[codepoint] ?? unknown;
  if (known !== unknown) return known as 0 | 1 | 2;
  return (widths[codepoint] = measure(codepoint));
}

function measure(codepoint: number): 0 | 1 | 2 {
  const width = Bun.stringWidth(String.fromCodePoint(codepoint));
  return width === 0 ? 0 : width === 1 ? 1 : 2;
}
