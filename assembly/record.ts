import { enterMember, key, keyLength, leaveValue, skipMemberValue } from "./member";
import { scanMessage } from "./message";
import { addUuid, addParent, addSession, flag, flags } from "./output";
import { hasEscapes } from "./text";
import { skipBlanks } from "./value";

// One bit for each field.
const uuid = 1;
const type = 2;
const parentUuid = 4;
const sessionId = 8;
const subtype = 16;
const message = 32;
const isSidechain = 64;
const isMeta = 128;

/** Scans a line from its first byte to its line feed; 0 when it is not a single object, or too unusual for this scanner. */
export function scanRecord(at: usize): usize {
  if (load<u8>(at) != 0x7b /* { */) return 0;
  let seen = 0;
  at = skipBlanks(at + 1);
  while (load<u8>(at) != 0x7d /* } */) {
    at = enterMember(at);
    if (at == 0) return 0;
    const field = fieldOf(key, keyLength);
    // JSON.parse uses the last of two equal keys, so the parser decides.
    if ((seen & field) != 0) return 0;
    seen |= field;
    const from = at;
    at = field == message && load<u8>(at) == 0x7b ? scanMessage(at) : skipMemberValue(at);
    if (at == 0 || (field != 0 && !keepValue(field, from, at))) return 0;
    at = leaveValue(at, 0x7d);
    if (at == 0) return 0;
  }
  at = skipBlanks(at + 1);
  return load<u8>(at) == 0x0a ? at : 0;
}

// Keys and words as the numbers that one load of their bytes gives.
function fieldOf(key: usize, length: usize): i32 {
  const head = load<u32>(key);
  switch (<i32>length) {
    case 4:
      return head == 0x64697575 /* uuid */ ? uuid : head == 0x65707974 /* type */ ? type : 0;
    case 6:
      return head == 0x654d7369 /* isMe */ && load<u16>(key, 4) == 0x6174 /* ta */ ? isMeta : 0;
    case 7: {
      const tail = load<u32>(key, 3);
      if (head == 0x7373656d /* mess */ && tail == 0x65676173 /* sage */) return message;
      return head == 0x74627573 /* subt */ && tail == 0x65707974 /* type */ ? subtype : 0;
    }
    case 9:
      return load<u64>(key) == 0x496e6f6973736573 /* sessionI */ && load<u8>(key, 8) == 0x64 /* d */ ? sessionId : 0;
    case 10:
      return load<u64>(key) == 0x7555746e65726170 /* parentUu */ && load<u16>(key, 8) == 0x6469 /* id */
        ? parentUuid
        : 0;
    case 11:
      return load<u64>(key) == 0x6863656469537369 /* isSidech */ && load<u32>(key, 7) == 0x6e696168 /* hain */
        ? isSidechain
        : 0;
    default:
      return 0;
  }
}

/** False when the text has escapes. */
function keepValue(field: i32, from: usize, to: usize): bool {
  const first = load<u8>(from);
  if (first == 0x22 /* " */) return !hasEscapes && keepText(field, from + 1, to - 1);
  if (first == 0x6e /* null */ && field == parentUuid) flag(flags.parentIsNull);
  if (first == 0x74 /* true */ && field == isSidechain) flag(flags.isSidechain);
  if (first == 0x74 /* true */ && field == isMeta) flag(flags.isMeta);
  return true;
}

function keepText(field: i32, from: usize, to: usize): bool {
  switch (field) {
    case uuid:
      // An empty uuid counts as none.
      if (from < to) addUuid(from, to);
      break;
    case parentUuid:
      addParent(from, to);
      break;
    case sessionId:
      if (from < to) addSession(from, to);
      break;
    case type:
      flag(typeOf(from, to - from));
      break;
    case subtype:
      if (to - from == 16 && load<u64>(from) == 0x5f746361706d6f63 /* compact_ */) {
        if (load<u64>(from, 8) == 0x797261646e756f62 /* boundary */) flag(flags.isBoundary);
      }
      break;
    default:
      break;
  }
  return true;
}

function typeOf(at: usize, length: usize): u32 {
  if (length == 4 && load<u32>(at) == 0x72657375 /* user */) return flags.isUser;
  if (length == 6 && load<u32>(at) == 0x74737973 /* syst */ && load<u16>(at, 4) == 0x6d65 /* em */)
    return flags.isSystem;
  if (length == 9 && load<u64>(at) == 0x6e61747369737361 /* assistan */ && load<u8>(at, 8) == 0x74 /* t */) {
    return flags.isAssistant;
  }
  return 0;
}
