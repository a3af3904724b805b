import type { IUnicodeVersionProvider } from "@xterm/headless";

const plane = 0x10000;
const unknown = 3;
const widths = new Uint8Array(plane).fill(unknown);

/** The emulator packs the properties of a character: bits 1 and 2 are its width, bit 0 joins it to the previous one. */
const widthIn = (properties: number): number => (properties >> 1) & 3;
const pack = (width: number, joins: boolean): number => (width << 1) | (joins ? 1 : 0);

/** The columns of a character in current Unicode: the emulator's own table is version 6, which lacks most emoji. */
export const currentUnicode: IUnicodeVersionProvider = {
  version: "current",
  wcwidth: widthOf,
  charProperties: (codepoint, preceding) => {
    const width = widthOf(codepoint);
    const before = widthIn(preceding);
    // A combining mark without a base character takes its own column.
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
