import { enterMember, key, keyLength, leaveValue, skipMemberValue } from "./member";
import { scanBlock } from "./tool-block";
import { skipBlanks } from "./value";

const cont: u32 = 0x746e6f63;
const tent: u32 = 0x746e6574;

/** Scans a record's message, starting at its brace. */
export function scanMessage(at: usize): usize {
  let seen = false;
  at = skipBlanks(at + 1);
  while (load<u8>(at) != 0x7d /* } */) {
    at = enterMember(at);
    if (at == 0) return 0;
    if (keyLength == 7 && load<u32>(key) == cont && load<u32>(key, 3) == tent) {
      // JSON.parse uses the last of two equal keys, so the parser decides.
      if (seen) return 0;
      seen = true;
      at = load<u8>(at) == 0x5b /* [ */ ? scanContent(at) : skipMemberValue(at);
    } else {
      at = skipMemberValue(at);
    }
    if (at == 0) return 0;
    at = leaveValue(at, 0x7d);
    if (at == 0) return 0;
  }
  return at + 1;
}

function scanContent(at: usize): usize {
  at = skipBlanks(at + 1);
  while (load<u8>(at) != 0x5d /* ] */) {
    at = load<u8>(at) == 0x7b /* { */ ? scanBlock(at) : skipMemberValue(at);
    if (at == 0) return 0;
    at = leaveValue(at, 0x5d);
    if (at == 0) return 0;
  }
  return at + 1;
}
