// The system clock is changed while cclaude waits for a limit: cclaude follows the wall clock, not the elapsed time.
import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { skipPermissions } from "../support/runs/cclaude.ts";
import { installedSandbox } from "../support/sandbox/installed-sandbox.ts";
import { newestClaude } from "../support/sandbox/claude-versions.ts";
import { fakeAnthropic } from "../support/anthropic/fake-anthropic.ts";
import { story } from "../support/anthropic/scenario.ts";
import { Tmux, tmuxMissing } from "../support/terminal/tmux.ts";
import { tally } from "./extent.ts";
import { findLibrary } from "./find-library.ts";

const library = findLibrary("faketime/libfaketime.so.1");
const missing = tmuxMissing() ?? (library === undefined ? "libfaketime is not installed" : undefined);
const skipReason = missing === undefined ? "" : ` (skipped: ${missing})`;

test.skipIf(missing !== undefined)(
  `follows the clock when it is set back and then forward during a wait${skipReason}`,
  async () => {
    await using api = await fakeAnthropic(story().fails.limit({ resetsInSeconds: 3_000 }).says("Continued."));
    await using sandbox = await installedSandbox(newestClaude);
    const clock = join(sandbox.root, "clock");
    const setClock = (offset: string): void => writeFileSync(clock, offset);
    setClock("+0");
    // Only cclaude sees the fake time; claude itself does not.
    const claude = join(sandbox.root, "timely-claude");
    writeFileSync(claude, '#!/bin/sh\nunset LD_PRELOAD\nexec claude "$@"\n');
    chmodSync(claude, 0o755);
    const env = { ...sandbox.claudeEnv(api), CCLAUDE_CLAUDE_BIN: claude };
    await using terminal = new Tmux(sandbox, env, { columns: 100, rows: 30 });
    await terminal.until(/READY>/);
    const faked = `LD_PRELOAD=${library} FAKETIME_TIMESTAMP_FILE=${clock} FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1`;
    terminal.type(`env ${faked} cclaude -p 'Do a lot' ${skipPermissions}; echo code=$?`);
    terminal.press("Enter");
    await terminal.until(/ · (5\dm|4\dm) \d\ds left/);
    setClock("-2h");
    await terminal.until(/ · 2h \d+m \d\ds left/);
    setClock("+30m");
    await terminal.until(/ · (1\dm|2\dm) \d\ds left/);
    expect(api.mainRequests).toHaveLength(1);
    setClock("+3h");
    await terminal.until(/code=0/);
    expect(terminal.history).toContain("Continued.");
    tally(3, "clock set while waiting");
  },
);
