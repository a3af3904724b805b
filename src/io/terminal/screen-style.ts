import type { Pen } from "./screen-internals.ts";

/** How the emulator marks a cell with more than the basic attributes. */
const hasExtended = 0x10000000;
const underlineStyleShift = 26;
const underlineColorMask = 0x3ffffff;
const colorMode = { palette16: 0x1000000, palette256: 0x2000000, rgb: 0x3000000 } as const;

/** The parameters of `CSI … m` that turn a plain pen into this one; empty for a plain pen. */
export function styleOf(pen: Pen): string {
  const words: (string | number)[] = [];
  if (pen.isBold()) words.push(1);
  if (pen.isDim()) words.push(2);
  if (pen.isItalic()) words.push(3);
  words.push(...underlineOf(pen));
  if (pen.isBlink()) words.push(5);
  if (pen.isInverse()) words.push(7);
  if (pen.isInvisible()) words.push(8);
  if (pen.isStrikethrough()) words.push(9);
  if (pen.isOverline()) words.push(53);
  if (pen.isFgRGB()) words.push("38;2", ...rgb(pen.getFgColor()));
  else if (pen.isFgPalette()) words.push(...palette(pen.getFgColor(), 30, 90, "38;5"));
  if (pen.isBgRGB()) words.push("48;2", ...rgb(pen.getBgColor()));
  else if (pen.isBgPalette()) words.push(...palette(pen.getBgColor(), 40, 100, "48;5"));
  return words.join(";");
}

/** The number of the hyperlink that the pen writes; 0 for none. */
export const linkOf = (pen: Pen): number => (pen.bg & hasExtended ? pen.extended._urlId : 0);

function underlineOf(pen: Pen): (string | number)[] {
  if (!(pen.bg & hasExtended)) return pen.isUnderline() ? [4] : [];
  const style = (pen.extended._ext >>> underlineStyleShift) & 7;
  if (style === 0) return [];
  const color = pen.extended._ext & underlineColorMask;
  const mode = color & 0x3000000;
  const value = color & 0xffffff;
  const painted =
    mode === colorMode.rgb
      ? [`58:2::${rgb(value).join(":")}`]
      : mode === colorMode.palette16 || mode === colorMode.palette256
        ? [`58:5:${value & 0xff}`]
        : [];
  return [style === 1 ? 4 : `4:${style}`, ...painted];
}

const rgb = (color: number): number[] => [(color >>> 16) & 0xff, (color >>> 8) & 0xff, color & 0xff];

function palette(color: number, dark: number, bright: number, other: string): (string | number)[] {
  if (color < 8) return [dark + color];
  return color < 16 ? [bright + color - 8] : [other, color];
}
