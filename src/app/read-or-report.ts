import { readText } from "../io/read-file.ts";

export interface ReadText {
  /** Undefined when there is no such file, or none that can be read. */
  text: string | undefined;
  /** Why it cannot be read. */
  problem: string | undefined;
}

/** For a file that a command can do without: one that is there but cannot be read is told of, and no more. */
export function readOrReport(path: string): ReadText {
  try {
    return { text: readText(path), problem: undefined };
  } catch (error) {
    return { text: undefined, problem: error instanceof Error ? error.message : String(error) };
  }
}
