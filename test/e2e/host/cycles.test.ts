// Many hosted sessions, ended in every way: nothing is left of them. HOST_CYCLES=200 for the long form.
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { leftoverProcesses } from "../../support/sandbox/leftover-processes.ts";
import type { Sandbox } from "../../support/sandbox/sandbox.ts";
import { OuterTerminal, sandboxWithProgram } from "../../support/terminal/outer-terminal.ts";
import { until } from "../../support/until.ts";

setDefaultTimeout(900_000);
const cycles = Number(process.env["HOST_CYCLES"] ?? 8);

type Ending = (outer: OuterTerminal, cycle: number) => Promise<void> | void;
const endings: Record<string, Ending> = {
  exit: async (outer) => {
    await outer.until("ready");
    outer.type("quit\r");
  },
  "SIGTERM to the client": async (outer) => {
    await outer.until("ready");
    outer.child.kill("SIGTERM");
  },
  "Ctrl-C": async (outer) => {
    await outer.until("ready");
    outer.type("\x03");
  },
  // From the start of the client to the start of the program, in steps of a few milliseconds.
  "kill -9 of the client at some moment": async (outer, cycle) => {
    await Bun.sleep((cycle * 7) % 120);
    outer.child.kill("SIGKILL");
  },
};

test(`${cycles} sessions leave no process, socket, lock or temporary file, and no record of an end that a client saw`, async () => {
  // Ends soon without a client: what follows a hang-up is another matter.
  const script = `trap 'exit 0' INT TERM HUP; echo ready; read -t 2 line; exit 0`;
  const { sandbox, env } = await sandboxWithProgram(`exec bash -c "${script}"`);
  await using _ = sandbox;
  const names = Object.keys(endings);
  let left: string[] = [];
  for (let cycle = 0; cycle < cycles; cycle++) {
    const name = names[cycle % names.length] ?? "";
    await using outer = new OuterTerminal(sandbox, ["cclaude"], env);
    await endings[name]?.(outer, cycle);
    await outer.end();
    const before = left;
    left = await untilGone(sandbox, name);
    if (!name.startsWith("kill")) expect({ name, left }).toEqual({ name, left: before });
  }
  expect(left.length).toBeLessThanOrEqual((2 * cycles) / names.length);
});

/** Waits until no process is left; returns the records that are left. */
async function untilGone(sandbox: Sandbox, ending: string): Promise<string[]> {
  await until(() => leftoverProcesses(sandbox.root).length === 0, `all processes to end after "${ending}"`, 60_000);
  const state = join(sandbox.home, ".local/state/ai-runtime");
  const records = filesIn(state).sort();
  expect(records.filter((name) => !/^(?:hosts|runs\/ended)\//.test(name))).toEqual([]);
  expect(filesIn(join(sandbox.root, "run"))).toEqual([]);
  expect(readdirSync(join(sandbox.root, "tmp"))).toEqual([]);
  return records;
}

const filesIn = (directory: string): string[] =>
  readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
