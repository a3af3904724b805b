// What was found in a batch of lines, as 32-bit numbers. src/claude/scanner/scanned-record.ts reads them.
import { entries, session, sessionLength, tools } from "./layout";

/** An entry has, for one line: from, to, flags, uuid (2), parent (2), session (from, to), tools (from, to). */
export const entrySize: usize = 44;
export const maxEntries: i32 = 512;
/** A tool has: call or result, the id (2). */
export const call: u32 = 1;
export const result: u32 = 2;
export const toolSize: usize = 12;
export const maxTools: usize = 1024;

/** As the length of the session id: any session is accepted. */
const anySession: u32 = 0xffffffff;

export namespace flags {
  /** Not set: the line was not understood, and the entry has nothing else. */
  export const isRecord: u32 = 1;
  export const hasUuid: u32 = 2;
  export const hasParent: u32 = 4;
  export const parentIsNull: u32 = 8;
  export const isBoundary: u32 = 16;
  export const isSidechain: u32 = 32;
  export const isMeta: u32 = 64;
  export const isUser: u32 = 128;
  export const isAssistant: u32 = 256;
  export const isSystem: u32 = 512;
  export const hasOtherSession: u32 = 1024;
  export const hasResults: u32 = 2048;
}

export let entry: usize = 0;
let tool: usize = 0;
/** The flags of the current line. */
let found: u32 = 0;
/** The last uuid. The next parent is nearly always the same and then needs no new hash. */
let uuid: usize = 0;
let uuidLength: usize = 0;
let uuidHash: u64 = 0;

export function start(): void {
  uuidLength = 0;
  entry = entries - entrySize;
  tool = tools;
}

/** Whether there is room for one more line with the usual number of tool ids. */
export function hasRoom(count: i32): bool {
  return count < maxEntries && tool < tools + (maxTools / 2) * toolSize;
}

export function beginEntry(from: usize): void {
  entry += entrySize;
  store<u32>(entry, from);
  store<u32>(entry, tool, 36);
  found = flags.isRecord;
}

export function endEntry(to: usize): void {
  store<u32>(entry, to, 4);
  store<u32>(entry, found, 8);
  store<u32>(entry, tool, 40);
}

/** Removes everything found in the current line. */
export function discardEntry(): void {
  found = 0;
  tool = load<u32>(entry, 36);
}

export function flag(bit: u32): void {
  found |= bit;
}

export function addUuid(from: usize, to: usize): void {
  flag(flags.hasUuid);
  storeId(entry + 12, from, to);
  uuid = from;
  uuidLength = to - from;
  uuidHash = load<u64>(entry, 12);
}

export function addParent(from: usize, to: usize): void {
  flag(flags.hasParent);
  if (uuidLength != 0 && isSame(from, to - from, uuid, uuidLength)) store<u64>(entry, uuidHash, 20);
  else storeId(entry + 20, from, to);
}

/** False when there is no room left. */
export function addTool(kind: u32, from: usize, to: usize): bool {
  if (tool == tools + maxTools * toolSize) return false;
  store<u32>(tool, kind);
  storeId(tool + 4, from, to);
  tool += toolSize;
  if (kind == result) flag(flags.hasResults);
  return true;
}

export function addSession(from: usize, to: usize): void {
  const own = load<u32>(sessionLength);
  if (own == anySession) return;
  if (isSame(from, to - from, session, own)) return;
  flag(flags.hasOtherSession);
  store<u32>(entry, from, 28);
  store<u32>(entry, to, 32);
}

function isSame(one: usize, length: usize, other: usize, otherLength: usize): bool {
  if (length != otherLength) return false;
  let same: usize = 0;
  while (same + 8 <= length && load<u64>(one + same) == load<u64>(other + same)) same += 8;
  while (same < length && load<u8>(one + same) == load<u8>(other + same)) same++;
  return same == length;
}

/** The same hash as in src/claude/scanner/id-table.ts. */
function storeId(at: usize, from: usize, to: usize): void {
  let high: u32 = 0xdeadbeef;
  let low: u32 = 0x41c6ce57;
  for (; from < to; from += 4) {
    const left = to - from;
    let word = load<u32>(from);
    if (left < 4) word &= (1 << (<u32>left * 8)) - 1;
    high = (high ^ word) * 2_654_435_761;
    high ^= high >>> 15;
    low = (low ^ word) * 1_597_334_677;
    low ^= low >>> 13;
  }
  store<u32>(at, ((high ^ (high >>> 16)) * 2_246_822_507) ^ ((low ^ (low >>> 13)) * 3_266_489_909));
  store<u32>(at, ((low ^ (low >>> 16)) * 2_246_822_507) ^ ((high ^ (high >>> 13)) * 3_266_489_909), 4);
}
