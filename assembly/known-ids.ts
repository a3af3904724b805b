// The hashes of all uuids so far, by open addressing: 8 bytes for each place, 0 where there is none. New ones wait until
// somebody asks, or until there are many: the processor fetches the places of many at once, but waits for each alone.
import { knownIds, waitingIds } from "./layout";

const fewest: usize = 1 << 14;
const most: usize = 1 << 22;
const mostWaiting: usize = 1 << 12;

let table: usize = 0;
let places: usize = 0;
let count: usize = 0;
let waiting: usize = 0;

export function forgetIds(): void {
  count = 0;
  waiting = 0;
  useTable(knownIds, fewest);
}

export function hasIds(): bool {
  return count + waiting != 0;
}

/** False also when nothing is certain any more. */
export function isKnown(id: u64): bool {
  // That is how an empty place looks.
  return id != 0 && settleIds() && load<u64>(placeOf(id)) == id;
}

/** False when one of those that waited was known before, or when there is no room. */
export function addId(id: u64): bool {
  if (waiting == mostWaiting && !settleIds()) return false;
  store<u64>(waitingIds + waiting * 8, id);
  waiting++;
  return true;
}

/** Has none wait any longer. False when one of them was known before, or when there is no room. */
export function settleIds(): bool {
  for (let index: usize = 0; index < waiting; index++) {
    const id = load<u64>(waitingIds + index * 8);
    const place = placeOf(id);
    // Of the id 0 it would be so as well.
    if (load<u64>(place) == id) return false;
    store<u64>(place, id);
    count++;
    if (count == (places / 4) * 3 && !grow()) return false;
  }
  waiting = 0;
  return true;
}

/** The id's own place, or the empty one that would be. */
function placeOf(id: u64): usize {
  const mask = places - 1;
  let index = (<usize>id) & mask;
  while (true) {
    const place = table + index * 8;
    const there = load<u64>(place);
    if (there == id || there == 0) return place;
    index = (index + 1) & mask;
  }
}

/** The larger table lies behind the smaller one, which is a quarter of it and is not used again. */
function grow(): bool {
  if (places == most) return false;
  const end = table + places * 8;
  let place = table;
  useTable(end, places * 4);
  for (; place < end; place += 8) {
    const id = load<u64>(place);
    if (id != 0) store<u64>(placeOf(id), id);
  }
  return true;
}

function useTable(at: usize, size: usize): void {
  table = at;
  places = size;
  memory.fill(at, 0, size * 8);
}
