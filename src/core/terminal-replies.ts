/**
 * What terminals answer by themselves, as far as it cannot be a key: what they are, their colours, where the cursor is, which
 * modes they have. Where the cursor is looks like F3 with a modifier in row 1; a key in another row there is none.
 */
const reply =
  // oxlint-disable-next-line no-control-regex -- so are answers
  /\x1b\[[?>=][\d;:]*(?:c|n|u|\$y)|\x1b\[(?!1;)\d+;\d+R|\x1b\[\d+(?:;\d+)*t|\x1b\](?:\d+;)[^\x07\x1b]*(?:\x07|\x1b\\)|\x1bP[^\x1b]*\x1b\\/g;

/** What was typed, without what a terminal has answered: of several terminals only one may answer the program's question. */
export function withoutReplies(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(0x1b)) return bytes;
  // One character for each byte, there and back.
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  const rest = text.replaceAll(reply, "");
  return rest.length === text.length ? bytes : Uint8Array.from(rest, (character) => character.charCodeAt(0));
}
