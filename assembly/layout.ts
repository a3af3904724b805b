// Addresses in the memory. scan-lines.ts exports some of them for src/claude/scanner/scanner.ts.

/** What was found in each line of a batch; output.ts describes it. */
export const entries: usize = 0x1000;
export const tools: usize = 0x8000;
/** Tool calls without a result so far. */
export const openCalls: usize = 0xb000;
/** The id of the expected session, and its length. */
export const session: usize = 0xc000;
export const sessionLength: usize = 0xcffc;
/** The lines to scan. The space after them allows reading past their end. */
export const buffer: usize = 0x10000;
export const bufferEnd: usize = 0x1010000;
/** The ids of records: first the waiting ones, then, up to the end of the memory, the hash table. */
export const waitingIds: usize = 0x1020000;
export const knownIds: usize = 0x1030000;
