// Shared by the tests of hosts: terminals in a sandbox, starting a host, and reading its record.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HostRecord } from "../../../src/store/hosts/host-records.ts";
import { executable } from "../executable.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { Tmux } from "./tmux.ts";
import { until } from "../until.ts";

const defaultSize = { columns: 100, rows: 30 };
export const detachKeys = ["C-\\", "d"] as const;

let terminals = 0;

export async function openTerminal(
  sandbox: Sandbox,
  env: Readonly<Record<string, string>> = {},
  size = defaultSize,
): Promise<Tmux> {
  const terminal = new Tmux(sandbox, env, size, { name: `terminal-${terminals++}` });
  await terminal.until(/READY>/);
  return terminal;
}

/** Types the command and presses Enter. */
export function run(terminal: Tmux, command: string): void {
  terminal.type(command);
  terminal.press("Enter");
}

/** The record of the host with this id, or of the only host. */
export function hostRecord(sandbox: Sandbox, id?: string): HostRecord {
  const directory = join(sandbox.home, ".local/state/ai-runtime/hosts");
  const names = readdirSync(directory).filter((name) =>
    id === undefined ? name.endsWith(".json") : name === `${id}.json`,
  );
  const [name] = names;
  if (name === undefined || names.length > 1) throw new Error(`expected one host, found ${names.length}`);
  return JSON.parse(readFileSync(join(directory, name), "utf8")) as HostRecord;
}

/** A tool call that runs until the test lets it go on. */
export const waitForFile = {
  command: "until [ -e go-on ]; do python3 -c 'import time; time.sleep(0.1)'; done",
  description: "Wait",
};

export const goOn = (sandbox: Sandbox): Promise<number> => Bun.write(join(sandbox.projectDir, "go-on"), "");

/** The records of all hosts, newest first. */
export const hostRecords = (sandbox: Sandbox): HostRecord[] =>
  readdirSync(join(sandbox.home, ".local/state/ai-runtime/hosts"))
    .filter((name) => name.endsWith(".json"))
    .map((name) => hostRecord(sandbox, name.slice(0, -".json".length)))
    .sort((a, b) => b.plan.created - a.plan.created);

/** Waits until the record of the host with this id, or of the only host, satisfies the predicate. */
export async function untilHost(
  sandbox: Sandbox,
  predicate: (record: HostRecord) => boolean,
  id?: string,
): Promise<HostRecord> {
  return until(
    () => [hostRecord(sandbox, id)].find(predicate),
    () => `a host in the expected state: ${JSON.stringify(hostRecord(sandbox, id))}`,
    60_000,
  );
}

/** Starts a host for any command, as `cclaude --detachable` does; returns the path of its socket. */
export async function startHost(
  sandbox: Sandbox,
  command: readonly [string, ...string[]],
  id = "test",
  env: Readonly<Record<string, string>> = {},
  program: readonly [string, ...string[]] = [executable],
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
  const host = sandbox.spawn([...program, "host", id], { env });
  await host.untilOutput(/\{"(ready|failure)".*\}/);
  const said = JSON.parse(host.stdout) as { ready?: true; failure?: { message: string } };
  if (!said.ready) throw new Error(said.failure?.message ?? host.stdout);
  return hostRecord(sandbox, id).running?.socket ?? "";
}

/** Presses Shift+Tab in a claude that accepts edits and has answered. */
export async function switchToPlanMode(terminal: Tmux, answer: RegExp): Promise<void> {
  await terminal.until((screen) => answer.test(screen) && screen.includes("accept edits on"));
  terminal.press("BTab");
  await terminal.until(/plan mode on/);
}

/** Enters a prompt in claude's own input line. */
export async function enterPrompt(terminal: Tmux, prompt: string): Promise<void> {
  terminal.type(prompt);
  const shown = await terminal.until((screen) => inputLine(screen).includes(prompt), `"${prompt}" at the prompt`);
  // On a busy machine, a prompt that was sent while Stop hooks ran stays in the input line of 2.1.197.
  if (!inputLine(shown).startsWith(prompt)) {
    terminal.press("C-u");
    await terminal.until((screen) => !inputLine(screen).includes(prompt), "an empty prompt");
    terminal.type(prompt);
    await terminal.until((screen) => inputLine(screen).startsWith(prompt), `only "${prompt}" at the prompt`);
  }
  terminal.press("Enter");
}

/** The text in claude's input line. Sent prompts look the same, but are above it. */
const inputLine = (screen: string): string =>
  screen
    .split("\n")
    .findLast((row) => /^[>❯]/.test(row))
    ?.slice(2)
    .trim() ?? "";

/** Starts a claude in a host without a terminal; returns the id of its run. */
export async function startInteractive(
  sandbox: Sandbox,
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<string> {
  const words = ["run", "Say hello", "--interactive", "--detach", ...flags];
  return (await sandbox.run(["ai-runtime", ...words], { env })).stdout.trim();
}
