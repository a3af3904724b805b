const standardWindow = 200_000;
const largeWindow = 1_000_000;

/** The transcript does not name the window, but a session with more tokens than the standard one must have the large one. */
export function contextWindow(tokensSeen: readonly (number | null)[]): number {
  return tokensSeen.some((tokens) => tokens !== null && tokens > standardWindow) ? largeWindow : standardWindow;
}
