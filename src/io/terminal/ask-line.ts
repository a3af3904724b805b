import { closeSync, constants, openSync, readSync } from "node:fs";

const newline = 0x0a;

/**
 * Reads one line from the terminal; undefined when it ends. Blocks: an asynchronous reader could stay behind and take keys
 * from the program that starts next.
 */
export function askLine(): string | undefined {
  const { fd, close } = openTerminal();
  const bytes: number[] = [];
  const byte = new Uint8Array(1);
  try {
    while (readSync(fd, byte, 0, 1, null) === 1) {
      const [value = newline] = byte;
      if (value === newline) return new TextDecoder().decode(new Uint8Array(bytes)).trim();
      bytes.push(value);
    }
    return undefined;
  } finally {
    close();
  }
}

const pollIntervalMs = 50;

export type TimedAnswer =
  | { readonly kind: "line"; readonly text: string }
  /** The time is over. */
  | { readonly kind: "silence" }
  /** Ctrl-C, or the terminal ended or cannot be opened. */
  | { readonly kind: "none" };

/** The same within a time. It polls, so that no reader stays behind. */
export async function askLineWithin(milliseconds: number): Promise<TimedAnswer> {
  let fd: number;
  try {
    fd = openSync("/dev/tty", constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return { kind: "none" };
  }
  const stopped = new AbortController();
  const interrupt = (): void => stopped.abort();
  process.on("SIGINT", interrupt);
  const bytes = new Uint8Array(1_024);
  let text = "";
  try {
    for (const end = performance.now() + milliseconds; performance.now() < end;) {
      if (stopped.signal.aborted) return { kind: "none" };
      const count = readNow(fd, bytes);
      if (count === 0) return { kind: "none" };
      text += new TextDecoder().decode(bytes.subarray(0, count ?? 0));
      if (text.includes("\n")) return { kind: "line", text: text.split("\n", 1)[0]?.trim() ?? "" };
      if (count === undefined) await Bun.sleep(pollIntervalMs);
    }
    return { kind: "silence" };
  } finally {
    process.off("SIGINT", interrupt);
    closeSync(fd);
  }
}

/** Undefined when nothing was typed yet, 0 at the end of the terminal. */
function readNow(fd: number, bytes: Uint8Array): number | undefined {
  try {
    return readSync(fd, bytes, 0, bytes.length, null);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EAGAIN") return undefined;
    return 0;
  }
}

/** A new file description of the terminal blocks, even when stdin does not. Not every system has this name for it. */
export function openTerminal(): { readonly fd: number; close(): void } {
  try {
    const fd = openSync("/dev/tty", "r");
    return { fd, close: () => closeSync(fd) };
  } catch {
    return { fd: 0, close: () => undefined };
  }
}
