const enter = 0x0d;
const escape = 0x1b;
/** Ctrl-C and Ctrl-U: the line is empty after them. */
const clearing = new Set([0x03, 0x15]);

/** Whether somebody is in the middle of a line after these keys, when `before` says whether he was before them. */
export function isHalfTyped(before: boolean, bytes: Uint8Array): boolean {
  let half = before;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === enter || clearing.has(byte)) half = false;
    else if (byte === escape) at += sequenceLength(bytes, at + 1);
    else if (byte >= 0x20 && byte !== 0x7f) half = true;
  }
  return half;
}

/** Arrows, a mouse, a focus, answers of a terminal: no words. Of a paste only its two ends are such. */
function sequenceLength(bytes: Uint8Array, start: number): number {
  const kind = bytes[start];
  if (kind === 0x4f) return 2; // O
  if (kind === 0x5d || kind === 0x50) return lengthUntil(bytes, start, (byte) => byte === 0x07 || byte === 0x5c); // ] P
  if (kind === 0x5b) return lengthUntil(bytes, start + 1, (byte) => byte >= 0x40 && byte <= 0x7e) + 1; // [
  return kind === undefined || kind === escape ? 0 : 1;
}

function lengthUntil(bytes: Uint8Array, start: number, isEnd: (byte: number) => boolean): number {
  let at = start;
  while (at < bytes.length && !isEnd(bytes[at] ?? 0)) at++;
  return at - start + 1;
}
