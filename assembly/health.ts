// Nearly every record is plainly healthy: its parent comes before it, its uuid is unique, and its tool results belong to open
// calls. As long as all records are, the visitor need not see them. Any other record may still be healthy:
// src/claude/repair/chain-check.ts and tool-check.ts then check the whole file.
import { addId, forgetIds, hasIds, isKnown, settleIds } from "./known-ids";
import { openCalls } from "./layout";
import { call, flags, toolSize } from "./output";

const maxOpenCalls: usize = 256;

let healthy: bool = true;
let spoken: i32 = 0;
/** The uuid of the previous record, which is the parent of most records. */
let last: u64 = 0;
let open: usize = 0;

export function expectHealth(): void {
  healthy = true;
  spoken = 0;
  last = 0;
  open = 0;
  forgetIds();
}

/** Whether all records so far were plainly healthy. */
export function isHealthy(): bool {
  return healthy;
}

/** The same for the whole file: also, no uuid repeats, and every tool call has a result. */
export function wasHealthy(): bool {
  return healthy && settleIds() && open == 0;
}

/** The number of messages of the user and Claude so far. */
export function countSpoken(): i32 {
  return spoken;
}

/** Checks the entry of the next line. */
export function checkHealth(entry: usize): void {
  if (healthy) healthy = isPlain(entry);
}

function isPlain(entry: usize): bool {
  const found = load<u32>(entry, 8);
  if ((found & (flags.isRecord | flags.hasOtherSession)) != flags.isRecord) return false;
  if ((found & flags.hasUuid) == 0) return true;
  if (!isLinked(found, load<u64>(entry, 20))) return false;
  last = load<u64>(entry, 12);
  if (!addId(last)) return false;
  if ((found & (flags.isUser | flags.isAssistant)) != 0) spoken++;
  return pairTools(load<u32>(entry, 36), load<u32>(entry, 40));
}

/** The first record, a compaction and a subagent start a chain by design. */
function isLinked(found: u32, parent: u64): bool {
  const isFirst = !hasIds();
  if ((found & flags.hasParent) != 0) return !isFirst && (parent == last || isKnown(parent));
  return isFirst || (found & (flags.isBoundary | flags.isSidechain)) != 0;
}

function pairTools(from: usize, to: usize): bool {
  for (let tool = from; tool < to; tool += toolSize) {
    const id = load<u64>(tool, 4);
    if (load<u32>(tool) == call ? !openCall(id) : !closeCall(id)) return false;
  }
  return true;
}

function openCall(id: u64): bool {
  if (open == maxOpenCalls) return false;
  store<u64>(openCalls + open * 8, id);
  open++;
  return true;
}

/** Searches from the newest call, which nearly always matches. */
function closeCall(id: u64): bool {
  for (let index = open; index > 0; index--) {
    const at = openCalls + (index - 1) * 8;
    if (load<u64>(at) != id) continue;
    open--;
    store<u64>(at, load<u64>(openCalls + open * 8));
    return true;
  }
  return false;
}
