// A hash table of all uuids so far, with open addressing: 8 bytes for each slot, 0 for an empty one. New ids wait until a lookup
// or until there are many, because the processor loads the slots of many ids in parallel.
import { knownIds, waitingIds } from "./layout";

const minSlots: usize = 1 << 14;
const maxSlots: usize = 1 << 22;
const maxWaiting: usize = 1 << 12;

let table: usize = 0;
let slots: usize = 0;
let count: usize = 0;
let waiting: usize = 0;

export function forgetIds(): void {
  count = 0;
  waiting = 0;
  useTable(knownIds, minSlots);
}

export function hasIds(): bool {
  return count + waiting != 0;
}

/** False also when a duplicate was found or the table is full. */
export function isKnown(id: u64): bool {
  // 0 marks an empty slot.
  return id != 0 && settleIds() && load<u64>(slotOf(id)) == id;
}

/** False when a waiting id was already known, or the table is full. */
export function addId(id: u64): bool {
  if (waiting == maxWaiting && !settleIds()) return false;
  store<u64>(waitingIds + waiting * 8, id);
  waiting++;
  return true;
}

/** Moves all waiting ids into the table. False when one was already known, or the table is full. */
export function settleIds(): bool {
  for (let index: usize = 0; index < waiting; index++) {
    const id = load<u64>(waitingIds + index * 8);
    const slot = slotOf(id);
    // Also true for the id 0, which the table cannot hold.
    if (load<u64>(slot) == id) return false;
    store<u64>(slot, id);
    count++;
    if (count == (slots / 4) * 3 && !grow()) return false;
  }
  waiting = 0;
  return true;
}

/** The slot of the id, or the empty slot where it belongs. */
function slotOf(id: u64): usize {
  const mask = slots - 1;
  let index = (<usize>id) & mask;
  while (true) {
    const slot = table + index * 8;
    const there = load<u64>(slot);
    if (there == id || there == 0) return slot;
    index = (index + 1) & mask;
  }
}

/** The new table comes after the old one, has four times its size, and replaces it. */
function grow(): bool {
  if (slots == maxSlots) return false;
  const end = table + slots * 8;
  let slot = table;
  useTable(end, slots * 4);
  for (; slot < end; slot += 8) {
    const id = load<u64>(slot);
    if (id != 0) store<u64>(slotOf(id), id);
  }
  return true;
}

function useTable(at: usize, size: usize): void {
  table = at;
  slots = size;
  memory.fill(at, 0, size * 8);
}
