/**
 * Replies that a terminal sends without the user: its identity, colors, cursor position and modes. A cursor position in row 1
 * looks like F3 with a modifier, so it stays.
 */
const reply =
  // oxlint-disable-next-line no-control-regex -- replies are control characters
  /\x1b\[[?>=][\d;:]*(?:c|n|u|\$y)|\x1b\[(?!1;)\d+;\d+R|\x1b\[\d+(?:;\d+)*t|\x1b\](?:\d+;)[^\x07\x1b]*(?:\x07|\x1b\\)|\x1bP[^\x1b]*\x1b\\/g;

/** Removes terminal replies from the input, because only one of several attached terminals may answer the program. */
export function withoutReplies(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(0x1b)) return bytes;
  // One character per byte, so that no byte changes.
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  const rest = text.replaceAll(reply, "");
  return rest.length === text.length ? bytes : Uint8Array.from(rest, (character) => character.charCodeAt(0));
}
