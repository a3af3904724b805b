import { darwin } from "./darwin.ts";
import { linux } from "./linux.ts";
import type { Platform } from "./platform.ts";
import { windows } from "./windows.ts";

/** The only place that checks which operating system this is. */
export const platform: Platform =
  process.platform === "win32" ? windows : process.platform === "darwin" ? darwin : linux;
