import { type IBuffer, type IBufferLine, Terminal } from "@xterm/headless";
import { currentUnicode } from "./character-width.ts";
import { type Charset, internalsOf, penOf, type ScreenInternals } from "./screen-internals.ts";
import { ScreenModes } from "./screen-modes.ts";
import { firmText, penText, rowText, writtenLength } from "./screen-row.ts";
import { unfinishedEnd } from "./unfinished-end.ts";

interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** The state of a terminal that shows this screen: needed to paint over it. */
export interface Shown {
  readonly alternate: boolean;
  /** How many keyboard encodings were pushed on each of its screens. */
  readonly keys: { readonly normal: number; readonly alternate: number };
}

const scrollbackRows = 1_000;
/** Longer unfinished sequences are dropped. */
const maxUnfinishedBytes = 64 * 1024;

/** Models the screen of a program from the bytes it writes, and paints it on another terminal. */
export class ScreenModel {
  readonly #terminal: Terminal;
  readonly #internals: ScreenInternals;
  readonly #modes: ScreenModes;
  #title = "";
  #unfinished: Uint8Array = new Uint8Array(0);

  /** `onReply` receives what a terminal answers to the program's queries. */
  constructor({ columns, rows }: ScreenSize, onReply: (text: string) => void) {
    this.#terminal = new Terminal({
      cols: columns,
      rows,
      scrollback: scrollbackRows,
      allowProposedApi: true,
      // It would log sequences that it does not understand.
      logLevel: "off",
      // Otherwise a resize cuts the line of the cursor.
      reflowCursorLine: true,
    });
    this.#terminal.unicode.register(currentUnicode);
    this.#terminal.unicode.activeVersion = currentUnicode.version;
    this.#internals = internalsOf(this.#terminal);
    this.#modes = new ScreenModes(this.#terminal);
    this.#terminal.onData(onReply);
    this.#terminal.onTitleChange((title) => {
      this.#title = title;
    });
  }

  get size(): ScreenSize {
    return { columns: this.#terminal.cols, rows: this.#terminal.rows };
  }

  get title(): string {
    return this.#title;
  }

  /** Bytes of an unfinished character or sequence: a client that joins now needs them before the bytes that follow. */
  get unfinished(): Uint8Array {
    return this.#unfinished;
  }

  /** Everything is parsed when this returns. */
  feed(bytes: Uint8Array): void {
    this.#internals._inputHandler.parse(bytes);
    const inSequence = this.#internals._inputHandler._parser.currentState !== 0;
    const all = this.#unfinished.length === 0 ? bytes : Buffer.concat([this.#unfinished, bytes]);
    const end = unfinishedEnd(all, inSequence);
    this.#unfinished = end.length > maxUnfinishedBytes ? new Uint8Array(0) : end.slice();
  }

  resize({ columns, rows }: ScreenSize): void {
    this.#terminal.resize(columns, rows);
  }

  /** Each row of the screen, then the cursor position and all modes: a changed part must be written again. */
  view(): { rows: string[]; rest: string; alternate: boolean } {
    const buffer = this.#terminal.buffer.active;
    const { rows } = this.size;
    return {
      rows: Array.from({ length: rows }, (_, y) => this.#row(buffer, buffer.baseY + y)),
      rest: `${this.#modes.set}${this.#titleText()}${this.#cursorText()}`,
      alternate: buffer.type === "alternate",
    };
  }

  /** The rows of the screen without colors. `firm` omits dim and reversed text, such as hints and painted cursors. */
  text({ firm = false } = {}): { rows: string[]; cursor: { x: number; y: number } } {
    const buffer = this.#terminal.buffer.active;
    const rows = Array.from({ length: this.size.rows }, (_, y) => {
      const line = buffer.getLine(buffer.baseY + y);
      if (!line) return "";
      return firm ? firmText(line, this.#terminal.cols) : line.translateToString(true);
    });
    return { rows, cursor: { x: buffer.cursorX, y: buffer.cursorY } };
  }

  /**
   * Paints everything on a terminal: the main screen, the scrollback above it if wanted, the alternate screen if it is
   * shown, modes, title, cursor. Without `before`, nothing is known about the terminal: its content is scrolled away.
   */
  paint(before: Shown | undefined, height: number, { history }: { history: boolean }): { text: string; shown: Shown } {
    const { normal, alternate } = this.#terminal.buffer;
    const isAlternate = this.#terminal.buffer.active.type === "alternate";
    const { keyboard } = this.#modes;
    const text = [
      // Starts at the cursor, so that only the text above it scrolls into the terminal's history.
      before ? release(before) : `${keepTitle}${"\r\n".repeat(height)}`,
      plainPen,
      history ? this.#flow(normal) : this.#place(normal, height),
      encodeKeys(keyboard.normal),
    ];
    if (isAlternate) {
      // The program returns to the cursor that is saved here.
      text.push(this.#region("normal"), this.#saved("normal"), "\x1b[?1049h", plainPen);
      text.push(this.#place(alternate, height), encodeKeys(keyboard.alternate));
    }
    text.push(this.#modes.set, this.#titleText(), this.#saved(isAlternate ? "alt" : "normal"), this.#cursorText());
    const keys = { normal: keyboard.normal.length, alternate: isAlternate ? keyboard.alternate.length : 0 };
    return { text: text.join(""), shown: { alternate: isAlternate, keys } };
  }

  /** Paints the changes on a terminal that has shown everything so far. */
  get shown(): Shown {
    const { keyboard } = this.#modes;
    return {
      alternate: this.#terminal.buffer.active.type === "alternate",
      keys: { normal: keyboard.normal.length, alternate: keyboard.alternate.length },
    };
  }

  /** Resets only what the program left switched on in a terminal; empty when that is nothing. */
  release(shown: Shown): string {
    return `${this.#modes.unset}${release(shown)}`;
  }

  /** Resets the terminal: plain style, and the cursor on a free line below the text. */
  leave(shown: Shown, { restoreTitle = true } = {}): string {
    const { normal } = this.#terminal.buffer;
    const last = Math.max(normal.cursorY, this.#lastRow(normal));
    const below = `${this.#cursorAt(0, Math.min(last, this.size.rows - 1))}\r\n`;
    const isFree = normal.cursorX === 0 && normal.cursorY >= last;
    const place = shown.alternate || !isFree ? below : this.#cursorAt(0, normal.cursorY);
    // A program that was killed may have left the terminal waiting for the rest of a frame.
    const title = restoreTitle ? oldTitle : "";
    return `\x1b[?2026l${this.#modes.unset}${release(shown)}${plainPen}${title}\x1b[?25h${place}\x1b[J`;
  }

  #flow(buffer: IBuffer): string {
    const parts = ["\x1b[H\x1b[J"];
    // Once a row has scrolled off, all rows must be written for each to reach its place.
    const lowest = buffer.baseY > 0 ? this.size.rows - 1 : Math.max(buffer.cursorY, this.#lastRow(buffer));
    const end = buffer.baseY + lowest;
    for (let y = 0; y <= end; y++) {
      const next = y < end ? buffer.getLine(y + 1) : undefined;
      // A row that continues in the next one is written up to its edge, so that the terminal treats them as one line.
      const wraps = next?.isWrapped ?? false;
      parts.push(wraps ? this.#wrapped(buffer, y) : this.#row(buffer, y), wraps || y === end ? "" : "\r\n");
    }
    return parts.join("");
  }

  #place(buffer: IBuffer, height: number): string {
    const { rows } = this.size;
    const parts = Array.from(
      { length: rows },
      (_, y) => `\x1b[${y + 1};1H${this.#row(buffer, buffer.baseY + y)}\x1b[K`,
    );
    return parts.join("") + (height > rows ? `\x1b[${rows + 1};1H\x1b[J` : "");
  }

  #row(buffer: IBuffer, y: number): string {
    const line: IBufferLine | undefined = buffer.getLine(y);
    return line ? rowText(line, writtenLength(line, this.#terminal.cols), this.#internals._oscLinkService) : "";
  }

  /** Up to the edge; one column less when a wide character did not fit and starts the next row. */
  #wrapped(buffer: IBuffer, y: number): string {
    const line = buffer.getLine(y);
    const { cols } = this.#terminal;
    const isShort =
      line?.getCell(cols - 1)?.getChars() === "" &&
      buffer
        .getLine(y + 1)
        ?.getCell(0)
        ?.getWidth() === 2;
    return line ? rowText(line, isShort ? cols - 1 : cols, this.#internals._oscLinkService) : "";
  }

  /** The last row of the screen that is not empty. */
  #lastRow(buffer: IBuffer): number {
    let y = this.size.rows - 1;
    while (y > 0 && this.#row(buffer, buffer.baseY + y) === "") y--;
    return y;
  }

  /** The cursor that the program saved; terminals keep one per screen. */
  #saved(which: "normal" | "alt"): string {
    const { savedX, savedY, savedCurAttrData: pen, savedCharset } = this.#internals.buffers[which];
    const set = this.#internals._charsetService.glevel === 1 ? ")" : "(";
    const written = penText(pen, this.#internals._oscLinkService);
    // Counted from the first row of the history; a row that has scrolled off counts as the first one of the screen.
    const { baseY } = which === "normal" ? this.#terminal.buffer.normal : this.#terminal.buffer.alternate;
    return `${this.#cursorAt(savedX, Math.max(0, savedY - baseY))}\x1b${set}${charsetName(savedCharset)}${written}\x1b7`;
  }

  #region(which: "normal" | "alt"): string {
    const { scrollTop, scrollBottom } = this.#internals.buffers[which];
    const isWhole = scrollTop === 0 && scrollBottom === this.size.rows - 1;
    return isWhole ? "\x1b[r" : `\x1b[${scrollTop + 1};${scrollBottom + 1}r`;
  }

  #titleText(): string {
    return this.#title === "" ? "" : `\x1b]2;${this.#title}\x1b\\`;
  }

  /** Scroll region, cursor, pen and character set: they decide where and how the next character is written. */
  #cursorText(): string {
    const { active } = this.#terminal.buffer;
    const which = active.type === "alternate" ? "alt" : "normal";
    const { scrollTop } = this.#internals.buffers[which];
    const { columns } = this.size;
    const { cursorX, cursorY } = active;
    const relative = this.#modes.isOriginRelative;
    const origin = relative ? "\x1b[?6h" : "\x1b[?6l";
    const y = relative ? cursorY - scrollTop : cursorY;
    const place = cursorX < columns ? this.#cursorAt(cursorX, y) : this.#pastEdge(active, y);
    const links = this.#internals._oscLinkService;
    return `${this.#region(which)}${origin}${place}${this.#charsets()}${penText(this.#internals._inputHandler._curAttrData, links)}`;
  }

  /** A terminal's cursor is behind the last column only after a character was written there. */
  #pastEdge(buffer: IBuffer, y: number): string {
    const line = buffer.getLine(buffer.baseY + buffer.cursorY);
    const columns = this.#terminal.cols;
    const last = line?.getCell(columns - 1)?.getWidth() === 0 ? columns - 2 : columns - 1;
    const cell = line?.getCell(last);
    if (!cell) return this.#cursorAt(columns - 1, y);
    const pen = penText(penOf(cell), this.#internals._oscLinkService);
    return `${this.#cursorAt(last, y)}${pen}${cell.getChars() || " "}`;
  }

  #cursorAt(x: number, y: number): string {
    return `\x1b[${y + 1};${Math.min(x, this.#terminal.cols - 1) + 1}H`;
  }

  #charsets(): string {
    const { glevel, charset, _charsets: sets } = this.#internals._charsetService;
    // A restored cursor also restores its character set.
    const name = (at: number): string => charsetName(at === glevel ? charset : sets[at]);
    return `\x1b(${name(0)}\x1b)${name(1)}${glevel === 1 ? "\x0e" : "\x0f"}`;
  }
}

/** Saves the title of the shell and restores it. */
const keepTitle = "\x1b[22;0t";
const oldTitle = "\x1b[23;0t";

const plainPen = "\x1b[0m\x1b(B\x0f\x1b[r\x1b[?6l\x1b[?7h\x1b[4l";

/** Letters, or lines for boxes. */
const charsetName = (set: Charset | undefined): string => (set?.["q"] === "─" ? "0" : "B");

const encodeKeys = (stack: readonly number[]): string => stack.map((flags) => `\x1b[>${flags}u`).join("");

/** Returns to the main screen, without our keyboard encoding. */
function release({ alternate, keys }: Shown): string {
  const pop = (count: number): string => (count === 0 ? "" : `\x1b[<${count}u`);
  return `${alternate ? `${pop(keys.alternate)}\x1b[?1049l` : ""}${pop(keys.normal)}`;
}
