import { join } from "node:path";

/** The built executable that the tests run; test/support/preload.ts rebuilds it when the source has changed. */
export const executable = join(
  import.meta.dir,
  "../../dist",
  process.platform === "win32" ? "ai-runtime.exe" : "ai-runtime",
);
