const enter = 0x0d;
const escape = 0x1b;
/** Ctrl-C and Ctrl-U empty the line. */
const clearingKeys = new Set([0x03, 0x15]);
/** The byte after Escape that begins a control sequence: `[`, `O`, `]`, `P` or `_`. */
const introducers = new Set([0x5b, 0x4f, 0x5d, 0x50, 0x5f]);
/** Longer than any reply of a terminal. */
const maxSequenceBytes = 4_096;

/** What the user's keys have left at the prompt since the last Enter. */
export interface TypedLine {
  readonly isHalfTyped: boolean;
  /** The beginning of a control sequence whose end has not arrived: a terminal's reply may come in pieces. */
  readonly unfinished: Uint8Array;
}

export const emptyLine: TypedLine = { isHalfTyped: false, unfinished: new Uint8Array() };

/** The line after these keys. */
export function readKeys({ isHalfTyped, unfinished }: TypedLine, typed: Uint8Array): TypedLine {
  // After the Escape key, a single byte is another key.
  const isContinued = unfinished.length > 1 || (typed.length > 1 && introducers.has(typed[0] ?? 0));
  const bytes = isContinued ? Uint8Array.of(...unfinished, ...typed) : typed;
  let half = isHalfTyped;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === enter || clearingKeys.has(byte)) half = false;
    else if (byte === escape) {
      const length = sequenceLength(bytes, at + 1);
      const isLast = at + 1 === bytes.length || at + length >= bytes.length;
      if (isLast && bytes.length - at <= maxSequenceBytes) return { isHalfTyped: half, unfinished: bytes.slice(at) };
      at += length;
    } else if (byte >= 0x20 && byte !== 0x7f) half = true;
  }
  return { isHalfTyped: half, unfinished: emptyLine.unfinished };
}

/** Whether the user pressed a key that may change the prompt. */
export function hasKeys(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const skipped = bytes[at] === escape ? sequenceLength(bytes, at + 1) : 0;
    if (skipped === 0) return true;
    at += skipped;
  }
  return false;
}

/** Whether the Escape key is among these keys, as a byte or in the encoding of the Kitty keyboard protocol. */
export function pressesEscape(bytes: Uint8Array): boolean {
  // oxlint-disable-next-line no-control-regex -- keys are control characters
  return /\x1b(?:$|\x1b)|\x1b\[27(?:;1(?::1)?)?u/.test(new TextDecoder("latin1").decode(bytes));
}

/** Arrow keys, mouse and focus events, terminal replies and paste markers do not add text. */
function sequenceLength(bytes: Uint8Array, start: number): number {
  const kind = bytes[start];
  if (kind === 0x4f) return 2; // O
  const isString = kind === 0x5d || kind === 0x50 || kind === 0x5f; // ] P _
  if (isString) return lengthUntil(bytes, start, (byte) => byte === 0x07 || byte === 0x5c);
  if (kind === 0x5b) return lengthUntil(bytes, start + 1, (byte) => byte >= 0x40 && byte <= 0x7e) + 1; // [
  return kind === undefined || kind === escape ? 0 : 1;
}

function lengthUntil(bytes: Uint8Array, start: number, isEnd: (byte: number) => boolean): number {
  let at = start;
  while (at < bytes.length && !isEnd(bytes[at] ?? 0)) at++;
  return at - start + 1;
}
