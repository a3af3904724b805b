const escape = 0x1b;
const nothing = new Uint8Array(0);

/** The bytes at the end that start a character, or a sequence if the parser is in one, without completing it. */
export function unfinishedEnd(bytes: Uint8Array, inSequence: boolean): Uint8Array {
  if (inSequence) {
    const at = bytes.lastIndexOf(escape);
    return at < 0 ? nothing : bytes.subarray(at);
  }
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return nothing;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? bytes.subarray(bytes.length - back) : nothing;
    }
  }
  return nothing;
}
