// What the tests of detaching share: a sandbox with our programs, terminals in it, and what the host has written down.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HostRecord } from "../../src/store/host-records.ts";
import { executable } from "./executable.ts";
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

/** Of the only host there is, or of that one. */
export function hostRecord(sandbox: Sandbox, id?: string): HostRecord {
  const directory = join(sandbox.home, ".local/state/ai-runtime/hosts");
  const names = readdirSync(directory).filter((name) =>
    id === undefined ? name.endsWith(".json") : name === `${id}.json`,
  );
  const [name] = names;
  if (name === undefined || names.length > 1) throw new Error(`expected one host, found ${names.length}`);
  return JSON.parse(readFileSync(join(directory, name), "utf8")) as HostRecord;
}

/** Starts a host for any command, as `cclaude --detachable` does, and returns where it listens. */
export async function startHost(
  sandbox: Sandbox,
  command: readonly [string, ...string[]],
  id = "test",
): Promise<string> {
  const plan = {
    id,
    command,
    name: command[0],
    directory: sandbox.projectDir,
    size: { columns: 80, rows: 24 },
    greeting: null,
    sessionId: null,
    created: Date.now(),
  };
  const directory = join(sandbox.home, ".local/state/ai-runtime/hosts");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(
    join(directory, `${id}.json`),
    JSON.stringify({ version: 1, plan, running: null, session: null, end: null }),
  );
  const host = sandbox.spawn([executable, "host", id]);
  await host.untilOutput(/\{"(ready|failure)".*\}/);
  const said = JSON.parse(host.stdout) as { ready?: true; failure?: { message: string } };
  if (!said.ready) throw new Error(said.failure?.message ?? host.stdout);
  return hostRecord(sandbox, id).running?.socket ?? "";
}
