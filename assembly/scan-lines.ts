import { checkHealth } from "./health";
import { beginEntry, endEntry, entry, discardEntry, hasRoom, start } from "./output";
import { scanRecord } from "./record";

export { countSpoken, expectHealth, isHealthy, wasHealthy } from "./health";
export { buffer, bufferEnd, entries, session, sessionLength, tools } from "./layout";

/**
 * Scans the lines in [from, to), the last of which must end with a line feed, until the space for entries is full.
 * Returns the number of lines scanned.
 */
export function scanLines(from: usize, to: usize): i32 {
  let count = 0;
  start();
  while (from < to && hasRoom(count)) {
    beginEntry(from);
    let end = scanRecord(from);
    if (end == 0) {
      discardEntry();
      end = lineEnd(from);
    }
    endEntry(end);
    checkHealth(entry);
    from = end + 1;
    count++;
  }
  return count;
}

function lineEnd(at: usize): usize {
  while (true) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(0x0a)));
    if (found != 0) return at + <usize>ctz(found);
    at += 16;
  }
}
