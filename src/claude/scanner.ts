import { scannerModule } from "./scanner-module.ts";

/** The program of assembly/. */
interface Program {
  /** Looks at whole lines in [from, to) of its memory and returns how many; `entries` tells what it found. */
  scanLines(from: number, to: number): number;
  /** Before the first lines of a file. */
  expectHealth(): void;
  /** Whether nothing was to be said of any line since then; some things show only at the end of the file: `wasHealthy`. */
  isHealthy(): number;
  wasHealthy(): number;
  /** How many records of the conversation itself there were, as long as all are healthy. */
  countSpoken(): number;
}

/** The program, and the memory that it works in. */
export interface Scanner extends Program {
  memory: Uint8Array;
  /** The same memory. */
  words: Int32Array;
  /** Where in the memory lines belong, and up to where. */
  buffer: number;
  bufferEnd: number;
  /** Where in `words` the first entry is, and the first tool id. */
  entries: number;
  tools: number;
  /** Where in the memory the session's id belongs, the most that fits, and where in `words` its length; -1 there when any will do. */
  session: number;
  mostSession: number;
  sessionLength: number;
}

/** Undefined where the processor cannot run it: then there is always the slower way. */
export function startScanner(): Scanner | undefined {
  const bytes = Uint8Array.fromBase64(scannerModule);
  if (!WebAssembly.validate(bytes)) return undefined;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {});
  const { scanLines, expectHealth, isHealthy, wasHealthy, countSpoken } = exports as unknown as Program;
  const { buffer: memory } = exports["memory"] as WebAssembly.Memory;
  const place = (name: string): number => Number((exports[name] as WebAssembly.Global).value);
  const session = place("session");
  const sessionLength = place("sessionLength");
  return {
    scanLines,
    expectHealth,
    isHealthy,
    wasHealthy,
    countSpoken,
    memory: new Uint8Array(memory),
    words: new Int32Array(memory),
    buffer: place("buffer"),
    bufferEnd: place("bufferEnd"),
    entries: place("entries") / 4,
    tools: place("tools") / 4,
    session,
    mostSession: sessionLength - session,
    sessionLength: sessionLength / 4,
  };
}
