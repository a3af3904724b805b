import { dlopen, ptr } from "bun:ffi";
import type { TerminalControl } from "./platform.ts";

/** No system's termios is larger. Only libc looks inside, except for the echo. */
const termiosBytes = 256;
/** A bit of the lowest byte of `c_lflag`, on Linux and macOS. */
const ECHO = 0x8;
const TCSANOW = 0;

/** Terminal settings through libc. Bun's raw mode is not enough: it still changes the output (`\n` becomes `\r\n`). */
export function terminalControl(
  libraryName: string,
  /** Where `c_lflag` is in termios. */
  localFlagsAt: number,
  masters: TerminalControl["masters"],
): TerminalControl {
  const load = () =>
    dlopen(libraryName, {
      tcgetattr: { args: ["i32", "ptr"], returns: "i32" },
      tcsetattr: { args: ["i32", "i32", "ptr"], returns: "i32" },
      tcgetpgrp: { args: ["i32"], returns: "i32" },
      getpgrp: { args: [], returns: "i32" },
      cfmakeraw: { args: ["ptr"], returns: "void" },
      write: { args: ["i32", "ptr", "u64"], returns: "i64" },
    }).symbols;
  let library: ReturnType<typeof load> | undefined;
  return {
    masters,
    send: (descriptor, bytes) => {
      library ??= load();
      return bytes.length === 0 ? 0 : Math.max(0, Number(library.write(descriptor, ptr(bytes), bytes.length)));
    },
    read: (descriptor) => {
      library ??= load();
      const settings = new Uint8Array(termiosBytes);
      return library.tcgetattr(descriptor, ptr(settings)) === 0 ? settings : undefined;
    },
    write: (descriptor, settings) => {
      library ??= load();
      return settings.length === termiosBytes && library.tcsetattr(descriptor, TCSANOW, ptr(settings)) === 0;
    },
    isForeground: (descriptor) => {
      library ??= load();
      return library.tcgetpgrp(descriptor) === library.getpgrp();
    },
    withoutEcho: (settings) => {
      const muted = settings.slice();
      muted[localFlagsAt] = (muted[localFlagsAt] ?? 0) & ~ECHO;
      return muted;
    },
    makeRaw: (settings) => {
      library ??= load();
      const raw = settings.slice();
      library.cfmakeraw(ptr(raw));
      return raw;
    },
  };
}
