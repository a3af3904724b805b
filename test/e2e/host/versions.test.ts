// Hosts and clients of different versions. Needs the executable of version 0.1.0: see scripts/old-executable.ts.
import { expect, test } from "bun:test";
import { protocolVersion } from "../../../src/core/host/frames.ts";
import { detachKeys, hostRecord, openTerminal, run } from "../../support/terminal/host-world.ts";
import { sandboxWithProgram } from "../../support/terminal/outer-terminal.ts";
import { tmuxMissing } from "../../support/terminal/tmux.ts";

const old = process.env["OLD_AI_RUNTIME"];
const missing = tmuxMissing() ?? (old === undefined ? "OLD_AI_RUNTIME does not name an old executable" : undefined);
if (missing) console.error(`skipped: ${missing}`);

const echo = `trap 'echo continued' CONT; echo ready
while :; do read -r line || continue
case $line in quit) exit 6 ;; stop) kill -STOP $$ ;; *) echo "<$line>" ;; esac; done`;
const shell = /READY> *\n*$/;

test.skipIf(missing !== undefined)("a new client shows the host of 0.1.0, detaches and sees the end", async () => {
  const { sandbox, env } = await sandboxWithProgram(echo);
  await using _ = sandbox;
  await using terminal = await openTerminal(sandbox, env);
  run(terminal, `${old} run --interactive --detach; clear; ai-runtime attach`);
  await terminal.until(/ready[^]*attached to/);
  run(terminal, "one");
  await terminal.until(/<one>/);
  terminal.press(...detachKeys);
  await terminal.until(/^Detached from/m);
  run(terminal, "clear; ai-runtime attach; echo code=$?");
  await terminal.until(/<one>/);
  run(terminal, "quit");
  await terminal.until(/code=6/);
});

test.skipIf(missing !== undefined)("a client of 0.1.0 shows a new host; a stop continues at once", async () => {
  const { sandbox, env } = await sandboxWithProgram(echo);
  await using _ = sandbox;
  await using terminal = await openTerminal(sandbox, env);
  run(terminal, "cclaude");
  await terminal.until(/^ready/m);
  terminal.press(...detachKeys);
  await terminal.until(/^Detached from/m);
  expect(hostRecord(sandbox).running).toMatchObject({ protocol: protocolVersion });
  run(terminal, `clear; ${old} attach; echo code=$?`);
  await terminal.until(/ready[^]*attached to/);
  run(terminal, "stop");
  await terminal.until(/continued/);
  run(terminal, "two");
  await terminal.until(/<two>/);
  terminal.press(...detachKeys);
  await terminal.until(/^Detached from/m);
  run(terminal, `clear; ${old} attach; echo code=$?`);
  await terminal.until(/<two>/);
  run(terminal, "quit");
  await terminal.until(/code=6/);
  await terminal.until(shell);
});
