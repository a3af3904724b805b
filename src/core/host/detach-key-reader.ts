import type { DetachKey } from "./detach-key.ts";
import type { HostCommand } from "./frames.ts";

export interface KeysRead {
  /** The bytes for the hosted program. */
  readonly forward: Uint8Array;
  readonly detach: boolean;
  /** What the user asked the host for, in order. */
  readonly commands: readonly HostCommand[];
}

/** The keys after the prefix, besides the one that detaches. */
const commandKeys: ReadonlyMap<number, HostCommand> = new Map([
  [0x72, "restore"], // r
  [0x78, "dismiss"], // x
  [0x3f, "keys"], // ?
]);

/** A terminal in bracketed paste mode wraps each paste in these. */
const pasteBegin = "\x1b[200~";
const pasteEnd = "\x1b[201~";

/**
 * Finds the detach key in the typed bytes. The reader holds the first key back until the next one decides; pressed twice, the
 * program receives it once. A paste is forwarded unread: detaching inside one would lose the rest, and the program would keep
 * waiting for the end of the paste.
 */
export class DetachKeyReader {
  readonly #key: DetachKey;
  readonly #takesCommands: boolean;
  #held: Uint8Array | undefined;
  #isPasting = false;
  /** The last forwarded bytes, because a paste marker may arrive in pieces. */
  #tail = "";

  /** `takesCommands`: the host knows them. Otherwise the program receives their keys. */
  constructor(key: DetachKey, { takesCommands }: { readonly takesCommands: boolean }) {
    this.#key = key;
    this.#takesCommands = takesCommands;
  }

  read(bytes: Uint8Array): KeysRead {
    if (this.#isPlain(bytes)) return { forward: bytes, detach: false, commands: noCommands };
    const out: number[] = [];
    const commands: HostCommand[] = [];
    let at = 0;
    while (at < bytes.length) {
      const { length, isRelease } = this.#isPasting ? noKey : this.#keyAt(bytes, at);
      if (this.#held) {
        // Some terminals report the release of the first key before the next press.
        if (isRelease) {
          at += length;
          continue;
        }
        const held = this.#held;
        this.#held = undefined;
        if (bytes[at] === this.#key.second) return { forward: Uint8Array.from(out), detach: true, commands };
        const command = this.#takesCommands ? commandKeys.get(bytes[at] ?? 0) : undefined;
        if (command) {
          commands.push(command);
          at++;
          continue;
        }
        for (const byte of held) this.#forward(byte, out);
        if (length > 0) at += length;
      } else if (length > 0 && !isRelease) {
        if (this.#key.second === undefined) return { forward: Uint8Array.from(out), detach: true, commands };
        this.#held = bytes.slice(at, at + length);
        at += length;
      } else this.#forward(bytes[at++] ?? 0, out);
    }
    return { forward: Uint8Array.from(out), detach: false, commands };
  }

  /** Most keys are neither the first key nor part of an escape sequence; they take no time. */
  #isPlain(bytes: Uint8Array): boolean {
    return !this.#held && !this.#tail.includes("\x1b") && !bytes.includes(this.#key.first) && !bytes.includes(0x1b);
  }

  #forward(byte: number, out: number[]): void {
    out.push(byte);
    // Both paste markers end with this byte.
    this.#tail = `${this.#tail}${String.fromCharCode(byte)}`.slice(-pasteEnd.length);
    if (byte !== 0x7e) return;
    if (this.#tail === pasteBegin) this.#isPasting = true;
    else if (this.#tail === pasteEnd) this.#isPasting = false;
  }

  /** Length 0 means that the first key is not here. A program can make the terminal send keys as escape sequences. */
  #keyAt(bytes: Uint8Array, at: number): { readonly length: number; readonly isRelease: boolean } {
    if (bytes[at] === this.#key.first) return { length: 1, isRelease: false };
    if (bytes[at] !== 0x1b) return noKey;
    const text = String.fromCharCode(...bytes.subarray(at, at + 24));
    // oxlint-disable-next-line no-control-regex -- keys are control characters
    const match = /^\x1b\[(?:(\d+)(?::\d*)*;(\d+)(?::([123]))?u|27;(\d+);(\d+)~)/.exec(text);
    const code = Number(match?.[1] ?? match?.[5] ?? 0);
    const isCtrl = ((Number(match?.[2] ?? match?.[4] ?? 1) - 1) & ~lockBits) === ctrlBit;
    if (!match || !isCtrl || code < 0x40 || (code & 0x1f) !== this.#key.first) return noKey;
    return { length: match[0].length, isRelease: match[3] === "3" };
  }
}

const noCommands: readonly HostCommand[] = [];
const noKey = { length: 0, isRelease: false } as const;

/** Modifier bits of those sequences. Caps Lock and Num Lock do not change the key. */
const ctrlBit = 4;
const lockBits = 64 | 128;
