import { findSpecial, hasEscapes, skipText } from "./text";
import { skipBlanks, skipColon, skipValue } from "./value";

/** The key of the member that `enterMember` entered. */
export let key: usize = 0;
export let keyLength: usize = 0;

/** Goes from a member's first byte to its value; 0 when this is not a member, or its key has escapes. */
export function enterMember(at: usize): usize {
  if (load<u8>(at) != 0x22 /* " */) return 0;
  key = at + 1;
  // Nearly every key is short and not followed by blanks.
  const special = findSpecial(key);
  let end = key + <usize>ctz(special);
  if (special == 0 || load<u8>(end) != 0x22) {
    end = skipText(key);
    if (end == 0 || hasEscapes) return 0;
  }
  keyLength = end - key;
  return load<u8>(end, 1) == 0x3a /* : */ && load<u8>(end, 2) > 0x20 ? end + 2 : skipColon(end + 1);
}

/** The same as `skipValue`, but faster for strings, the most frequent kind. */
export function skipMemberValue(at: usize): usize {
  if (load<u8>(at) != 0x22 /* " */) return skipValue(at);
  const end = skipText(at + 1);
  return end == 0 ? 0 : end + 1;
}

/** Goes from the end of a value to the next member or element, or to `closing`; 0 when neither follows. */
export function leaveValue(at: usize, closing: u8): usize {
  const next = load<u8>(at);
  if (next == closing) return at;
  const first = load<u8>(at, 1);
  return next == 0x2c /* , */ && first > 0x20 && first != closing ? at + 1 : leaveWithBlanks(at, closing);
}

function leaveWithBlanks(at: usize, closing: u8): usize {
  at = skipBlanks(at);
  const next = load<u8>(at);
  if (next == closing) return at;
  if (next != 0x2c /* , */) return 0;
  at = skipBlanks(at + 1);
  // A trailing comma is not valid.
  return load<u8>(at) == closing ? 0 : at;
}
