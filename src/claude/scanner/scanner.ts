import { scannerModule } from "./scanner-module.ts";

/** The WebAssembly program built from assembly/. */
interface Program {
  /** Scans whole lines in [from, to) of its memory, writes what it finds to `entries`, and returns the number of lines. */
  scanLines(from: number, to: number): number;
  /** Call before the first lines of a file. */
  expectHealth(): void;
  /** Whether all lines since then were healthy. `wasHealthy` adds the checks that need the whole file. */
  isHealthy(): number;
  wasHealthy(): number;
  /** Number of messages of the user and Claude; valid as long as all records are healthy. */
  countSpoken(): number;
}

/** The program and its memory. */
export interface Scanner extends Program {
  memory: Uint8Array;
  /** The same memory. */
  words: Int32Array;
  /** Where lines are put in the memory, and the end of that space. */
  buffer: number;
  bufferEnd: number;
  /** Index in `words` of the first entry, and of the first tool id. */
  entries: number;
  tools: number;
  /** Where the session id is put in the memory, its maximum length, and the index in `words` of its length (-1: any session). */
  session: number;
  maxSessionLength: number;
  sessionLength: number;
}

/** Undefined when the processor lacks the SIMD instructions. The caller then parses each line, which is slower. */
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
    maxSessionLength: sessionLength - session,
    sessionLength: sessionLength / 4,
  };
}
