/** The keys that leave a hosted program: one, or a Ctrl key followed by a letter. */
export interface DetachKey {
  /** As a person reads it: `Ctrl-\ d`. */
  readonly name: string;
  readonly first: number;
  /** Undefined: the first one alone detaches. */
  readonly second: number | undefined;
}

/** Claude does not bind it (for a terminal it is the quit signal), and dtach and abduco have made it known. */
export const usualDetachKey: DetachKey = { name: "Ctrl-\\ d", first: 0x1c, second: 0x64 };

/** For a terminal they are Tab, Enter and Escape, with which every arrow begins. */
const otherKeys = new Set(["I", "J", "M", "["]);

/** `ctrl-b d`, `Ctrl-]`; undefined when the words name no such keys. */
export function parseDetachKey(text: string): DetachKey | undefined {
  const match = /^\s*(?:ctrl[-+]|\^)([a-z@[\\\]^_])(?:\s+([a-z]))?\s*$/i.exec(text);
  const letter = match?.[1]?.toUpperCase();
  if (letter === undefined || otherKeys.has(letter)) return undefined;
  const second = match?.[2]?.toLowerCase();
  return {
    name: `Ctrl-${letter}${second === undefined ? "" : ` ${second}`}`,
    first: letter.charCodeAt(0) & 0x1f,
    second: second?.charCodeAt(0),
  };
}

export interface KeysRead {
  /** What goes on to the program. */
  readonly forward: Uint8Array;
  readonly detach: boolean;
}

/** What a terminal puts around a paste, where the program has asked for it. */
const pasteBegin = "\x1b[200~";
const pasteEnd = "\x1b[201~";

/**
 * Looks for the detach key in what is typed. The first key is held back until it is clear what it is; pressed twice, it goes to
 * the program once. What is pasted is the program's, whatever is in it: cut off half-way, it would be lost, and the program left
 * waiting for its end.
 */
export class DetachKeyReader {
  readonly #key: DetachKey;
  #held: Uint8Array | undefined;
  #isPasting = false;
  /** The last few bytes that went on: an end of a paste may come in pieces. */
  #tail = "";

  constructor(key: DetachKey) {
    this.#key = key;
  }

  read(bytes: Uint8Array): KeysRead {
    const out: number[] = [];
    let at = 0;
    while (at < bytes.length) {
      const { length, isRelease } = this.#isPasting ? noKey : this.#keyAt(bytes, at);
      if (this.#held) {
        // Some terminals tell that it was let go, before they tell what is pressed next.
        if (isRelease) {
          at += length;
          continue;
        }
        const held = this.#held;
        this.#held = undefined;
        if (bytes[at] === this.#key.second) return { forward: Uint8Array.from(out), detach: true };
        for (const byte of held) this.#forward(byte, out);
        if (length > 0) at += length;
      } else if (length > 0 && !isRelease) {
        if (this.#key.second === undefined) return { forward: Uint8Array.from(out), detach: true };
        this.#held = bytes.slice(at, at + length);
        at += length;
      } else this.#forward(bytes[at++] ?? 0, out);
    }
    return { forward: Uint8Array.from(out), detach: false };
  }

  #forward(byte: number, out: number[]): void {
    out.push(byte);
    // No other byte ends what begins or ends a paste.
    this.#tail = `${this.#tail}${String.fromCharCode(byte)}`.slice(-pasteEnd.length);
    if (byte !== 0x7e) return;
    if (this.#tail === pasteBegin) this.#isPasting = true;
    else if (this.#tail === pasteEnd) this.#isPasting = false;
  }

  /** How many bytes of it are the first key; 0 for none. Programs may have asked for keys to be sent in words. */
  #keyAt(bytes: Uint8Array, at: number): { readonly length: number; readonly isRelease: boolean } {
    if (bytes[at] === this.#key.first) return { length: 1, isRelease: false };
    if (bytes[at] !== 0x1b) return noKey;
    const text = String.fromCharCode(...bytes.subarray(at, at + 24));
    // oxlint-disable-next-line no-control-regex -- keys are control characters
    const match = /^\x1b\[(?:(\d+)(?::\d*)*;(\d+)(?::([123]))?u|27;(\d+);(\d+)~)/.exec(text);
    const code = Number(match?.[1] ?? match?.[5] ?? 0);
    const isCtrl = ((Number(match?.[2] ?? match?.[4] ?? 1) - 1) & ~locks) === ctrl;
    if (!match || !isCtrl || code < 0x40 || (code & 0x1f) !== this.#key.first) return noKey;
    return { length: match[0].length, isRelease: match[3] === "3" };
  }
}

const noKey = { length: 0, isRelease: false } as const;

/** The bits of keys that are held down; Caps Lock and Num Lock are told as well, and mean nothing. */
const ctrl = 4;
const locks = 64 | 128;
