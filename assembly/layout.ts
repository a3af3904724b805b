// Where in the memory everything is. src/claude/scanner.ts reads what scan-lines.ts exports of it.

/** What was found out about each line of a stretch: output.ts says what. */
export const entries: usize = 0x1000;
export const tools: usize = 0x8000;
/** Tool calls whose results are still to come. */
export const openCalls: usize = 0xb000;
/** The session's own id, and its length. */
export const session: usize = 0xc000;
export const sessionLength: usize = 0xcffc;
/** Where the lines are read to. Behind them must be room for a look ahead. */
export const buffer: usize = 0x10000;
export const bufferEnd: usize = 0x1010000;
/** The ids of records: those that wait to be put with the others, and behind them, up to the end of the memory, the others. */
export const waitingIds: usize = 0x1020000;
export const knownIds: usize = 0x1030000;
