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

/** `ctrl-b d`, `Ctrl-]`; undefined when the words name no such keys. */
export function parseDetachKey(text: string): DetachKey | undefined {
  const match = /^\s*(?:ctrl[-+]|\^)([a-z@[\\\]^_])(?:\s+([a-z]))?\s*$/i.exec(text);
  const letter = match?.[1]?.toUpperCase();
  if (letter === undefined) return undefined;
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

/**
 * Looks for the detach key in what is typed. The first key is held back until it is clear what it is; pressed twice, it goes to
 * the program once.
 */
export class DetachKeyReader {
  readonly #key: DetachKey;
  #held: Uint8Array | undefined;

  constructor(key: DetachKey) {
    this.#key = key;
  }

  read(bytes: Uint8Array): KeysRead {
    const out: number[] = [];
    let at = 0;
    while (at < bytes.length) {
      const length = this.#lengthAt(bytes, at);
      if (this.#held) {
        const held = this.#held;
        this.#held = undefined;
        if (bytes[at] === this.#key.second) return { forward: Uint8Array.from(out), detach: true };
        out.push(...held);
        if (length > 0) at += length;
      } else if (length > 0) {
        if (this.#key.second === undefined) return { forward: Uint8Array.from(out), detach: true };
        this.#held = bytes.slice(at, at + length);
        at += length;
      } else out.push(bytes[at++] ?? 0);
    }
    return { forward: Uint8Array.from(out), detach: false };
  }

  /** How many bytes of it are the first key; 0 for none. Programs may have asked for keys to be sent in words. */
  #lengthAt(bytes: Uint8Array, at: number): number {
    if (bytes[at] === this.#key.first) return 1;
    if (bytes[at] !== 0x1b) return 0;
    const text = String.fromCharCode(...bytes.subarray(at, at + 24));
    // oxlint-disable-next-line no-control-regex -- keys are control characters
    const match = /^\x1b\[(?:(\d+)(?::\d*)*;5(?::1)?u|27;5;(\d+)~)/.exec(text);
    const code = Number(match?.[1] ?? match?.[2] ?? 0);
    return match && code >= 0x40 && (code & 0x1f) === this.#key.first ? match[0].length : 0;
  }
}
