const usual = 200_000;
const large = 1_000_000;

/** The transcript names no window: a session that carried more than the usual one must have the large one. */
export function contextWindow(tokensSeen: readonly (number | null)[]): number {
  return tokensSeen.some((tokens) => tokens !== null && tokens > usual) ? large : usual;
}
