import { expect, test } from "bun:test";
import { join } from "node:path";
import { listRuns } from "../../../src/app/run-records/list-runs.ts";
import { renderRuns } from "../../../src/cli/run-list/run-list.ts";
import type { Output } from "../../../src/cli/output.ts";
import { HostRecords } from "../../../src/store/hosts/host-records.ts";
import { createColors } from "picocolors/picocolors.js";
import { addRun } from "../../support/runs/scripted-claude.ts";
import { TranscriptWorld } from "../../support/worlds/transcript-world.ts";

const id = "20261118-090000-k3f0";
const end = { exitCode: 0, signal: null, time: 2_000 };

test.each([
  ["stopped", end],
  ["failed", { ...end, exitCode: 1 }],
  ["working", null],
] as const)("a hosted run that is %s is listed with Claude's title", (phase, ended) => {
  using world = new TranscriptWorld();
  const places = { home: world.home, projectDir: world.home, configDir: join(world.home, ".claude") };
  addRun(places, id, { phase }, { kind: "interactive", task: "" });
  const size = { columns: 80, rows: 24 };
  const plan = { id, command: ["cclaude"], name: "cclaude", directory: world.home, size, sessionId: null } as const;
  const status = { state: { kind: "idle", background: false }, since: 1_000, terminals: 0, hangup: null } as const;
  new HostRecords(join(world.home, ".local/state/ai-runtime")).write({
    version: 1,
    plan: { ...plan, greeting: null, created: 1_000 },
    running: null,
    session: null,
    status: { ...status, title: "Fix the login" },
    end: ended,
  });

  const listed = listRuns(world.environment, 10);

  const output = { tableWidth: 120, colors: createColors(false) } as Output;
  const lines = renderRuns(listed, output, { home: world.home, cwd: "/", now: 3_000 }).join("\n");
  expect(lines).toContain("Fix the login");
  expect(lines).not.toContain("(interactive)");
});
