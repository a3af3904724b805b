import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { until } from "./until.ts";

/** Waits until the file's text satisfies the predicate; returns the text. */
export function untilFile(path: string, predicate: (text: string) => boolean): Promise<string> {
  const look = (): string | undefined => {
    const text = existsSync(path) ? readFileSync(path, "utf8") : undefined;
    return text !== undefined && predicate(text) ? text : undefined;
  };
  return until(look, `the expected content of ${basename(path)}`);
}
