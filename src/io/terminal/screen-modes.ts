import type { Terminal } from "@xterm/headless";

/** Modes that programs switch on and the emulator does not report, with their initial values. */
const privateModes = new Map([
  [1, false], // cursor keys of an application
  [6, false], // origin
  [7, true], // wraps at the right margin
  [9, false], // mouse: presses
  [12, false], // blinking cursor
  [25, true], // cursor is shown
  [45, false], // wraps backwards
  [66, false], // keypad of an application
  [1000, false], // mouse: presses and releases
  [1002, false], // mouse: drags
  [1003, false], // mouse: all moves
  [1004, false], // focus
  [1005, false], // mouse in UTF-8
  [1006, false], // mouse in decimal
  [1015, false], // mouse, urxvt
  [1016, false], // mouse in pixels
  [2004, false], // bracketed paste
  [2031, false], // reports of a color scheme change
]);

/** Only one mode of each group is active: terminals keep one value for what the mouse reports, and one for its encoding. */
const exclusive = [
  [9, 1000, 1002, 1003],
  [1005, 1006, 1015, 1016],
];

/** Not replayed here, because they change the cursor position: the caller sets them with the cursor. */
const positional = new Set([6]);

export interface KeyboardStacks {
  readonly normal: number[];
  readonly alternate: number[];
}

/** Tracks the modes of a terminal, so that another one can be set to the same. */
export class ScreenModes {
  #set = new Map(privateModes);
  #insert = false;
  #cursorStyle = 0;
  #otherKeys = 0;
  #keyboard: KeyboardStacks = { normal: [], alternate: [] };
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    const { parser } = terminal;
    // Each handler returns false, so that the emulator handles the sequence as well.
    parser.registerCsiHandler({ prefix: "?", final: "h" }, (words) => this.#note(words, true));
    parser.registerCsiHandler({ prefix: "?", final: "l" }, (words) => this.#note(words, false));
    parser.registerCsiHandler({ final: "h" }, (words) => this.#noteInsert(words, true));
    parser.registerCsiHandler({ final: "l" }, (words) => this.#noteInsert(words, false));
    parser.registerCsiHandler({ intermediates: " ", final: "q" }, ([style]) => {
      this.#cursorStyle = typeof style === "number" ? style : 0;
      return false;
    });
    parser.registerCsiHandler({ prefix: ">", final: "m" }, ([resource, value]) => {
      if (resource === 4) this.#otherKeys = typeof value === "number" ? value : 0;
      return false;
    });
    parser.registerCsiHandler({ prefix: ">", final: "u" }, ([flags]) => {
      // A terminal keeps only a few of them and forgets the oldest.
      if (this.#stack.push(Number(flags ?? 0)) > 16) this.#stack.shift();
      return false;
    });
    parser.registerCsiHandler({ prefix: "<", final: "u" }, ([count]) => {
      this.#stack.splice(-Math.max(1, Number(count ?? 1)));
      return false;
    });
    parser.registerCsiHandler({ prefix: "=", final: "u" }, ([flags, how]) => this.#setKeyboard(flags, how));
    parser.registerEscHandler({ final: "=" }, () => this.#note([66], true));
    parser.registerEscHandler({ final: ">" }, () => this.#note([66], false));
    parser.registerEscHandler({ final: "c" }, () => this.#reset());
    parser.registerCsiHandler({ intermediates: "!", final: "p" }, () => this.#reset());
  }

  /** Sets a terminal with unknown modes to these modes; does not move the cursor. */
  get set(): string {
    // Modes that are off come first: switching one mouse mode off also switches the others off.
    const ordered = [...this.#set].sort(([, a], [, b]) => Number(a) - Number(b));
    const switches = ordered.filter(([mode]) => !positional.has(mode) && mode !== 66);
    const text = switches.map(([mode, on]) => `\x1b[?${mode}${on ? "h" : "l"}`).join("");
    const keypad = this.#set.get(66) ? "\x1b=" : "\x1b>";
    return `${text}${keypad}\x1b[4${this.#insert ? "h" : "l"}\x1b[${this.#cursorStyle} q\x1b[>4;${this.#otherKeys}m`;
  }

  /** Switches off what a program has switched on, for the shell that follows. */
  get unset(): string {
    const changed = [...this.#set].filter(([mode, on]) => on !== privateModes.get(mode) && mode !== 66);
    const text = changed.map(([mode, on]) => `\x1b[?${mode}${on ? "l" : "h"}`).join("");
    return [
      text,
      this.#set.get(66) ? "\x1b>" : "",
      this.#insert ? "\x1b[4l" : "",
      this.#cursorStyle === 0 ? "" : "\x1b[0 q",
      this.#otherKeys === 0 ? "" : "\x1b[>4;0m",
    ].join("");
  }

  /** The keyboard encodings, newest last; each of the two screens has its own. */
  get keyboard(): Readonly<KeyboardStacks> {
    return this.#keyboard;
  }

  get isOriginRelative(): boolean {
    return this.#set.get(6) ?? false;
  }

  get #stack(): number[] {
    return this.#terminal.buffer.active.type === "normal" ? this.#keyboard.normal : this.#keyboard.alternate;
  }

  #note(words: readonly (number | number[])[], on: boolean): false {
    for (const word of words) {
      if (typeof word !== "number" || !this.#set.has(word)) continue;
      for (const other of exclusive.find((group) => group.includes(word)) ?? []) this.#set.set(other, false);
      this.#set.set(word, on);
    }
    return false;
  }

  #noteInsert(words: readonly (number | number[])[], on: boolean): false {
    if (words.includes(4)) this.#insert = on;
    return false;
  }

  /** 1 sets the flags, 2 adds them, 3 removes them. */
  #setKeyboard(flags: number | number[] | undefined, how: number | number[] | undefined): false {
    const stack = this.#stack;
    const given = Number(flags ?? 0);
    const top = stack.pop() ?? 0;
    stack.push(how === 2 ? top | given : how === 3 ? top & ~given : given);
    return false;
  }

  #reset(): false {
    this.#set = new Map(privateModes);
    this.#insert = false;
    this.#cursorStyle = 0;
    this.#otherKeys = 0;
    this.#keyboard = { normal: [], alternate: [] };
    return false;
  }
}
