import { existsSync, mkdirSync, readFileSync, watch } from "node:fs";
import { basename, dirname } from "node:path";

const patience = 100_000;

/** Waits until the file's text satisfies the predicate, woken by changes in its directory; returns the text. */
export async function untilFile(path: string, predicate: (text: string) => boolean): Promise<string> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const look = (): void => {
    if (!existsSync(path)) return;
    const text = readFileSync(path, "utf8");
    if (predicate(text)) resolve(text);
  };
  const deadline = setTimeout(() => reject(new Error(`${basename(path)} never became what was awaited`)), patience);
  const watcher = watch(dirname(path), look);
  look();
  return promise.finally(() => {
    clearTimeout(deadline);
    watcher.close();
  });
}
