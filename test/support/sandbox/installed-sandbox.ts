import { executable } from "../executable.ts";
import type { ClaudeVersion } from "./claude-versions.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";

/** A sandbox with our programs on the PATH. */
export async function installedSandbox(claude: ClaudeVersion | "none"): Promise<Sandbox> {
  const sandbox = await createSandbox({ claude });
  await sandbox.installBinaries(executable);
  return sandbox;
}
