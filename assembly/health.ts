// Nearly every record is one of which nothing is to be said: its parent came before it, its uuid is no other's, its tool results
// belong to calls that still wait for theirs. As long as that is so, nobody need be told of each. Whatever is not as
// plain as that may be healthy all the same; src/claude/chain-check.ts and tool-check.ts then judge everything anew.
import { addId, forgetIds, hasIds, isKnown, settleIds } from "./known-ids";
import { openCalls } from "./layout";
import { call, flags, toolSize } from "./output";

const mostOpen: usize = 256;

let healthy: bool = true;
let spoken: i32 = 0;
/** The uuid of the record before, on which most hang. */
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

/** The same of the whole file: no uuid is there twice, and every tool call has its result. */
export function wasHealthy(): bool {
  return healthy && settleIds() && open == 0;
}

/** How many records so far are of the conversation itself. */
export function countSpoken(): i32 {
  return spoken;
}

/** One line after the other, by its entry. */
export function checkHealth(entry: usize): void {
  if (healthy) healthy = isPlain(entry);
}

function isPlain(entry: usize): bool {
  const found = load<u32>(entry, 8);
  if ((found & (flags.isRecord | flags.isStranger)) != flags.isRecord) return false;
  if ((found & flags.hasUuid) == 0) return true;
  if (!isLinked(found, load<u64>(entry, 20))) return false;
  last = load<u64>(entry, 12);
  if (!addId(last)) return false;
  if ((found & (flags.isUser | flags.isAssistant)) != 0) spoken++;
  return pairTools(load<u32>(entry, 36), load<u32>(entry, 40));
}

/** A compaction and a subagent begin a chain by design, and so does the first record. */
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
  if (open == mostOpen) return false;
  store<u64>(openCalls + open * 8, id);
  open++;
  return true;
}

/** From the last one on: that is nearly always it. */
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
