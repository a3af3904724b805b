import { join } from "node:path";

/** The built executable that the tests run; test/support/preload.ts makes sure that it is fresh. */
export const executable = join(
  import.meta.dir,
  "../../dist",
  process.platform === "win32" ? "ai-runtime.exe" : "ai-runtime",
);
