// What the terminal emulator knows but does not expose. Its version is pinned, and
// test/io/terminal/screen-model.test.ts fails when one of these names is gone.
import type { IBufferCell, Terminal } from "@xterm/headless";

/** A pen: colors and styles of a cell, or of the next character. */
export type Pen = Pick<
  IBufferCell,
  | "isBold"
  | "isDim"
  | "isItalic"
  | "isBlink"
  | "isInverse"
  | "isInvisible"
  | "isStrikethrough"
  | "isOverline"
  | "isUnderline"
  | "isFgRGB"
  | "isFgPalette"
  | "getFgColor"
  | "isBgRGB"
  | "isBgPalette"
  | "getBgColor"
> & {
  readonly bg: number;
  readonly extended: { readonly _ext: number; readonly _urlId: number };
};

export interface Charset {
  readonly [from: string]: string;
}

export interface ScreenInternals {
  readonly coreService: { readonly isCursorHidden: boolean };
  readonly _charsetService: {
    readonly glevel: number;
    readonly charset: Charset | undefined;
    readonly _charsets: readonly (Charset | undefined)[];
  };
  readonly _oscLinkService: { getLinkData(id: number): { readonly uri: string; readonly id?: string } | undefined };
  readonly _inputHandler: {
    /** Synchronous. The public write is delayed, and a fast program could fill our memory. */
    parse(bytes: Uint8Array): void;
    readonly _curAttrData: Pen;
    readonly _parser: { readonly currentState: number };
  };
  readonly buffers: { readonly normal: BufferInternals; readonly alt: BufferInternals };
}

export interface BufferInternals {
  readonly scrollTop: number;
  readonly scrollBottom: number;
  readonly savedX: number;
  readonly savedY: number;
  readonly savedCurAttrData: Pen;
  readonly savedCharset: Charset | undefined;
}

export const internalsOf = (terminal: Terminal): ScreenInternals =>
  (terminal as unknown as { _core: ScreenInternals })._core;

export const penOf = (cell: IBufferCell): Pen => cell as unknown as Pen;
