const pauseMs = 20;
const defaultTimeoutMs = 240_000;

/**
 * Looks until there is an answer, and returns it. This is the only poll of the tests, for what reports no event: a process that is
 * no child, a unit, a file. `fs.watch` is no event for a file: Bun drops a change that follows another one within two milliseconds.
 */
export async function until<Found>(
  look: () => Found | undefined | false | Promise<Found | undefined | false>,
  what: string | (() => string),
  timeoutMs = defaultTimeoutMs,
): Promise<Found> {
  for (const deadline = performance.now() + timeoutMs; ;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) {
      throw new Error(`timed out after ${timeoutMs} ms waiting for ${typeof what === "string" ? what : what()}`);
    }
    await Bun.sleep(pauseMs);
  }
}
