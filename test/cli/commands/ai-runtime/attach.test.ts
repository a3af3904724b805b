// `ai-runtime attach` without an id, with several programs running.
import { expect, test } from "bun:test";
import { run as runProgram, sandboxWithClaude } from "../../../support/runs/scripted-claude.ts";
import type { Sandbox } from "../../../support/sandbox/sandbox.ts";
import { detachKeys, openTerminal, run } from "../../../support/terminal/host-world.ts";
import { tmuxMissing } from "../../../support/terminal/tmux.ts";

const missing = tmuxMissing();
if (missing) console.error(`skipped: ${missing}`);

/** Prints its last argument, and stays until it is ended. */
const script = `for word; do :; done; echo "I do: $word"; read line`;

async function startTwo(sandbox: Sandbox): Promise<string[]> {
  const ids: string[] = [];
  for (const task of ["the first task", "the second task"]) {
    const started = await runProgram(sandbox, ["run", task, "--interactive", "--detach"]);
    ids.push(started.stdout.trim());
  }
  return ids;
}

test.skipIf(missing !== undefined)("offers a list in a terminal: arrows and Enter, a number, or q", async () => {
  await using sandbox = await sandboxWithClaude(script);
  await startTwo(sandbox);
  await using terminal = await openTerminal(sandbox, {}, { columns: 80, rows: 24 });
  run(terminal, "ai-runtime attach");
  await terminal.until(/❯ 1 .*the second task[^]*2 .*the first task[^]*q quits/);
  terminal.press("Down");
  await terminal.until(/❯ 2 .*the first task/);
  terminal.press("Enter");
  await terminal.until(/I do: the first task/);
  terminal.press(...detachKeys);
  await terminal.until(/^Detached from/m);

  run(terminal, "clear; ai-runtime attach");
  await terminal.until(/❯ 1 .*the second task/);
  terminal.type("1");
  await terminal.until(/I do: the second task/);
  terminal.press(...detachKeys);
  await terminal.until(/^Detached from/m);

  run(terminal, "clear; ai-runtime attach; echo code=$?");
  await terminal.until(/❯ 1 .*the second task/);
  terminal.press("q");
  await terminal.until(/^code=130/m);
  expect(terminal.screen).not.toContain("the second task");
});

test("names the ids without a terminal, and exits with code 2", async () => {
  await using sandbox = await sandboxWithClaude(script);
  const ids = await startTwo(sandbox);
  const { exitCode, stderr } = await runProgram(sandbox, ["attach"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`2 programs are running: ${ids.toReversed().join(", ")}`);
});

test("status --watch refuses to run without a terminal", async () => {
  await using sandbox = await sandboxWithClaude("exit 0");
  const { exitCode, stderr } = await runProgram(sandbox, ["status", "--watch"]);
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("status --watch needs a terminal") as string,
  });
});
