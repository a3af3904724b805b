import { readSync } from "node:fs";
import { openTerminal } from "./ask-line.ts";

/**
 * Passes what the user types to `decide` until it returns a value; undefined when the terminal ends. Blocks, for the same
 * reason as `askLine`.
 */
export function readKeysUntil<T>(decide: (keys: string) => T | undefined): T | undefined {
  const { fd, close } = openTerminal();
  const bytes = new Uint8Array(64);
  process.stdin.setRawMode(true);
  try {
    for (;;) {
      const count = readSync(fd, bytes, 0, bytes.length, null);
      if (count === 0) return undefined;
      const decided = decide(new TextDecoder().decode(bytes.subarray(0, count)));
      if (decided !== undefined) return decided;
    }
  } finally {
    process.stdin.setRawMode(false);
    close();
  }
}
