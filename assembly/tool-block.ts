import { enterMember, key, keyLength, leaveValue, skipMemberValue } from "./member";
import { addTool, call, result } from "./output";
import { hasEscapes } from "./text";
import { skipBlanks } from "./value";

// Keys and words as the numbers that one load of their bytes gives.
const type: u32 = 0x65707974;
const id: u16 = 0x6469;
const tool_use: u64 = 0x6573755f6c6f6f74;
const tool_res: u64 = 0x7365725f6c6f6f74;
const sult: u32 = 0x746c7573;
const e_id: u32 = 0x64695f65;

/** Scans an element of a message's content, starting at its brace, and keeps the id of a tool call or result. */
export function scanBlock(at: usize): usize {
  let isCall = false;
  let isResult = false;
  let seen = 0;
  let idFrom: usize = 0;
  let idTo: usize = 0;
  let callFrom: usize = 0;
  let callTo: usize = 0;
  at = skipBlanks(at + 1);
  while (load<u8>(at) != 0x7d /* } */) {
    at = enterMember(at);
    if (at == 0) return 0;
    let field = 0;
    if (keyLength == 4 && load<u32>(key) == type) field = 1;
    else if (keyLength == 2 && load<u16>(key) == id) field = 2;
    else if (keyLength == 11 && load<u64>(key) == tool_use && load<u32>(key, 7) == e_id) field = 4;
    // JSON.parse uses the last of two equal keys, so the parser decides.
    if ((seen & field) != 0) return 0;
    seen |= field;
    const from = at + 1;
    const isText = load<u8>(at) == 0x22; /* " */
    at = skipMemberValue(at);
    if (at == 0) return 0;
    if (field != 0 && isText) {
      if (hasEscapes) return 0;
      const to = at - 1;
      if (field == 1) {
        isCall = to - from == 8 && load<u64>(from) == tool_use;
        isResult = to - from == 11 && load<u64>(from) == tool_res && load<u32>(from, 7) == sult;
      } else if (field == 2) {
        idFrom = from;
        idTo = to;
      } else {
        callFrom = from;
        callTo = to;
      }
    }
    at = leaveValue(at, 0x7d);
    if (at == 0) return 0;
  }
  if (isCall && idFrom < idTo && !addTool(call, idFrom, idTo)) return 0;
  if (isResult && callFrom < callTo && !addTool(result, callFrom, callTo)) return 0;
  return at + 1;
}
