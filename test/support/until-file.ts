import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";

const patience = 100_000;

/**
 * Waits until the file's text satisfies the predicate; returns the text. It looks again and again: a watch starts some time
 * after it is asked for, and what happens in between would be missed.
 */
export async function untilFile(path: string, predicate: (text: string) => boolean): Promise<string> {
  const deadline = performance.now() + patience;
  for (;;) {
    const text = existsSync(path) ? readFileSync(path, "utf8") : undefined;
    if (text !== undefined && predicate(text)) return text;
    if (performance.now() > deadline) throw new Error(`${basename(path)} never became what was awaited`);
    await Bun.sleep(20);
  }
}
