// A session of cclaude: registered before claude starts, so that an interruption at any point can be continued.
import { expect } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDirectoryName } from "../../../src/claude/paths.ts";
import type { RunRecord } from "../../../src/core/run/run-record.ts";
import { isSameProcess } from "../../../src/io/process/process.ts";
import { claudeFile, rememberVersion } from "../../../src/store/cclaude/claude-versions.ts";
import { SnapshotPaths } from "../../../src/store/snapshots/snapshot-paths.ts";
import type { FaultWorld } from "../fault-world.ts";
import type { Command, Story } from "../story.ts";
import { placeClaude, records, starts } from "./run.ts";
import { until } from "../../support/until.ts";

let env: Record<string, string> = {};

const open = (world: FaultWorld): RunRecord | undefined => records(world).find(({ status }) => status.exit === null);

/** Claude's own file is not synced, so a power cut may take it. */
function hasAnswer(world: FaultWorld, { plan }: RunRecord): boolean {
  const project = join(world.home, ".claude/projects", projectDirectoryName(world.directory));
  const path = join(project, `${plan.sessionId}.jsonl`);
  return existsSync(path) && readFileSync(path, "utf8").includes("Done.");
}

const cclaude: Story = {
  title: "cclaude session",
  leavesTemporaries: true,
  async prepare(world): Promise<Command> {
    env = placeClaude(world);
    const claude = env["CCLAUDE_CLAUDE_BIN"] ?? "";
    const file = claudeFile(claude);
    if (file) rememberVersion(new SnapshotPaths(join(world.home, ".config/session-snapshot")), file, "2.1.326");
    return { words: ["cclaude", "-p", "Do it"], env };
  },
  outcome(world) {
    const left = open(world);
    if (left) expect(left.plan).toMatchObject({ task: "Do it", cwd: world.directory, kind: "headless" });
    return left === undefined && starts(world) > 0 ? "new" : "old";
  },
  async recover(world) {
    const left = open(world);
    if (!left || starts(world) === 0) return;
    // A killed cclaude leaves its claude behind, which ends soon.
    const { child } = left.status;
    await until(() => !child || !isSameProcess(child), "the killed claude to end");
    const had = hasAnswer(world, left);
    const resumed = await world.runtime(["resume", left.plan.id], { env });
    expect([resumed.exitCode, resumed.stderr]).toEqual([had ? 0 : (resumed.exitCode ?? -1), resumed.stderr]);
    if (had) expect(readFileSync(join(world.notes, "words"), "utf8")).toContain(`--resume\n${left.plan.sessionId}`);
    if (had) expect(open(world)).toBeUndefined();
    const before = starts(world);
    expect((await world.runtime(["recover"], { env })).exitCode).toBe(4);
    expect(starts(world)).toBe(before);
    const events = join(world.home, ".local/state/ai-runtime/runs/sessions");
    if (had && existsSync(events)) expect(readdirSync(events)).not.toContain(left.plan.id);
  },
};

export const cclaudeStories: readonly Story[] = [cclaude];
