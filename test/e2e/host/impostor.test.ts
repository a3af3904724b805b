// Another user replaces a host's socket: `attach` neither shows nor sends anything, and reaches the real host.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { executable } from "../../support/executable.ts";
import { createSandbox } from "../../support/sandbox/sandbox.ts";
import { hostRecord, openTerminal, run, startHost } from "../../support/terminal/host-world.ts";
import { impostorText, isRoot, startImpostor } from "../../support/terminal/impostor.ts";
import { tmuxMissing } from "../../support/terminal/tmux.ts";

const missing = tmuxMissing() ?? (isRoot ? undefined : "starting a program of another user needs root");
if (missing) console.error(`skipped: ${missing}`);

test.skipIf(missing !== undefined).each([
  ["attach ignores a socket in another user's directory and reaches the host on a new socket", false],
  ["attach recognizes another user's process behind a socket that looks like its own", true],
])("%s", async (_, asOurs) => {
  await using sandbox = await createSandbox({ claude: "none" });
  await sandbox.installBinaries(executable);
  const path = await startHost(sandbox, ["/bin/sh", "-c", 'while read -r line; do echo "<$line>"; done']);
  const received = await startImpostor(sandbox, path, { asOurs });
  await using terminal = await openTerminal(sandbox);
  run(terminal, "ai-runtime attach test");
  await terminal.until(/attached to test/);
  terminal.type("a secret");
  terminal.press("Enter");
  await terminal.until(/<a secret>/);
  expect(received()).toBe("");
  expect(terminal.history).not.toContain(impostorText);
  const socket = hostRecord(sandbox).running?.socket;
  if (!asOurs) expect(socket).toBe(join(sandbox.home, ".local/state/ai-runtime/sockets/test.sock"));
});
