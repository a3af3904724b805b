import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "./sandbox.ts";

/** Registers a hook of the user that answers every event with this output. */
export function addHook(sandbox: Sandbox, event: string, output: object): void {
  const hook = { type: "command", command: `echo '${JSON.stringify(output)}'` };
  mkdirSync(sandbox.configDir, { recursive: true });
  const settings = { hooks: { [event]: [{ matcher: "*", hooks: [hook] }] } };
  writeFileSync(join(sandbox.configDir, "settings.json"), JSON.stringify(settings));
}
