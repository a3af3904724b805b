// What the tests of detaching share: a sandbox with our programs, terminals in it, and what the host has written down.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { HostRecord } from "../../src/store/host-records.ts";
import type { Sandbox } from "./sandbox.ts";
import { Tmux } from "./tmux.ts";

const usualSize = { columns: 100, rows: 30 };
export const detachKeys = ["C-\\", "d"] as const;

let terminals = 0;

export async function openTerminal(
  sandbox: Sandbox,
  env: Readonly<Record<string, string>> = {},
  size = usualSize,
): Promise<Tmux> {
  const terminal = new Tmux(sandbox, env, size, { name: `terminal-${terminals++}` });
  await terminal.until(/READY>/);
  return terminal;
}

export function run(terminal: Tmux, command: string): void {
  terminal.type(command);
  terminal.press("Enter");
}

/** Of the only host there is. */
export function hostRecord(sandbox: Sandbox): HostRecord {
  const directory = join(sandbox.home, ".local/state/ai-runtime/hosts");
  const [name, ...others] = readdirSync(directory).filter((each) => each.endsWith(".json"));
  if (name === undefined || others.length > 0) throw new Error(`expected one host, found ${1 + others.length}`);
  return JSON.parse(readFileSync(join(directory, name), "utf8")) as HostRecord;
}
