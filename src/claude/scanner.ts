import { scannerModule } from "./scanner-module.ts";

/** The program of assembly/, and the memory that it works in. */
export interface Scanner {
  /** Looks at whole lines in [from, to) of its memory and returns how many; `entries` tells what it found. */
  scanLines(from: number, to: number): number;
  memory: Uint8Array;
  /** The same memory. */
  words: Int32Array;
  /** Where in the memory lines belong, and up to where. */
  buffer: number;
  bufferEnd: number;
  /** Where in `words` the first entry is. */
  entries: number;
  /** Where in the memory the session's id belongs, the most that fits, and where in `words` its length. */
  session: number;
  mostSession: number;
  sessionLength: number;
}

/** Behind the lines, for a look ahead. */
const margin = 65_536;

/** Undefined where the processor cannot run it: then there is always the slower way. */
export function startScanner(): Scanner | undefined {
  const bytes = Uint8Array.fromBase64(scannerModule);
  if (!WebAssembly.validate(bytes)) return undefined;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {});
  const scanLines = exports["scanLines"] as (from: number, to: number) => number;
  const { buffer: memory } = exports["memory"] as WebAssembly.Memory;
  const place = (name: string): number => Number((exports[name] as WebAssembly.Global).value);
  const session = place("session");
  const sessionLength = place("sessionLength");
  return {
    scanLines,
    memory: new Uint8Array(memory),
    words: new Int32Array(memory),
    buffer: place("buffer"),
    bufferEnd: memory.byteLength - margin,
    entries: place("entries") / 4,
    session,
    mostSession: sessionLength - session,
    sessionLength: sessionLength / 4,
  };
}
