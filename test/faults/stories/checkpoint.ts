// Checkpoints: each file has the old or the new content, and another session's checkpoint is never lost.
import { expect } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultWorld } from "../fault-world.ts";
import type { Story } from "../story.ts";

const goalHere = (world: FaultWorld): string => world.checkpoints.of(world.directory).goal ?? "";
const goalLatest = (world: FaultWorld): string => world.checkpoints.latest().goal ?? "";

/** Each file is completely old or new; leftovers of a kill are hidden and swept later. */
function expectWhole(world: FaultWorld, goals: readonly string[]): void {
  const memory = world.checkpoints.memory(world.directory);
  expect(goals).toContain(goalHere(world));
  expect(goals).toContain(goalLatest(world));
  const markdown = readFileSync(join(memory, "checkpoint.md"), "utf8");
  expect(goals.some((goal) => markdown.includes(`**Goal:** ${goal}\n`))).toBe(true);
  expect(markdown.endsWith("\n")).toBe(true);
  const visible = readdirSync(memory).filter((name) => !/^\..*\.tmp-\d+-\d+$/.test(name));
  expect(visible.sort()).toEqual(["checkpoint.json", "checkpoint.md"]);
}

const saveWords = async (world: FaultWorld, goal: string, env: Record<string, string> = {}): Promise<void> => {
  const saved = await world.runtime(["checkpoint", "save", "--goal", goal], { env });
  expect([saved.exitCode, saved.stderr]).toEqual([0, saved.stderr]);
};

const save: Story = {
  title: "checkpoint save",
  async prepare(world) {
    await saveWords(world, "old");
    return { words: ["checkpoint", "save", "--goal", "new"] };
  },
  outcome(world) {
    expectWhole(world, ["old", "new"]);
    return goalHere(world) === "new" && goalLatest(world) === "new" ? "new" : "old";
  },
  async recover(world) {
    await saveWords(world, "newest");
    expectWhole(world, ["newest"]);
  },
};

const payload = (world: FaultWorld, event: string, more: object): string =>
  world.payload("s", event, {
    transcript_path: join(world.checkpoints.memory(world.directory), "../s.jsonl"),
    cwd: world.directory,
    ...more,
  });

const edit = { tool_name: "Write", tool_input: { file_path: "/a" }, tool_response: {} };

const replace: Story = {
  title: "hook that replaces another session's checkpoint",
  alwaysSucceeds: true,
  async prepare(world) {
    await saveWords(world, "old", { CLAUDE_CODE_SESSION_ID: "before" });
    await world.runtime(["hook"], { stdin: payload(world, "UserPromptSubmit", { prompt: "Something new" }) });
    return { words: ["hook"], stdin: payload(world, "PostToolUse", edit) };
  },
  outcome(world) {
    const { pastDirectory } = world.checkpoints;
    const past = existsSync(pastDirectory) ? readdirSync(pastDirectory) : [];
    const isKept = past.includes("before.json");
    expect(goalHere(world) === "old" || isKept).toBe(true);
    return goalHere(world) === "old" ? "old" : "new";
  },
  async recover(world) {
    await world.runtime(["hook"], { stdin: payload(world, "PostToolUse", edit) });
    expect([goalHere(world), goalLatest(world)]).toEqual(["Something new", "Something new"]);
  },
};

const clear: Story = {
  title: "checkpoint clear",
  async prepare(world) {
    await world.runtime(["checkpoint", "save", "--goal", "of another directory"], { cwd: world.home });
    await saveWords(world, "to be cleared");
    return { words: ["checkpoint", "clear"] };
  },
  outcome(world) {
    const isHere = world.checkpoints.exists(world.directory);
    // The checkpoint is never lost: it is still here or among the past ones.
    const { pastDirectory } = world.checkpoints;
    const past = existsSync(pastDirectory) ? readdirSync(pastDirectory).filter((name) => name.endsWith(".json")) : [];
    expect(isHere || past.some((name) => name.startsWith("cleared-"))).toBe(true);
    return isHere ? "old" : "new";
  },
  async recover(world) {
    const again = await world.runtime(["checkpoint", "clear"]);
    expect([0, 4]).toContain(again.exitCode ?? -1);
    expect(world.checkpoints.exists(world.directory)).toBe(false);
    expect(existsSync(join(world.checkpoints.memory(world.directory), "checkpoint.md"))).toBe(false);
    // No new session may see the cleared checkpoint.
    expect(goalLatest(world)).toBe("of another directory");
  },
};

function line(world: FaultWorld, percent: number): { stdin: string } {
  const stdin = JSON.stringify({
    session_id: "s",
    transcript_path: join(world.checkpoints.memory(world.directory), "../s.jsonl"),
    cwd: world.directory,
    workspace: { project_dir: world.directory },
    context_window: { context_window_size: 1_000 * percent },
    rate_limits: { five_hour: { used_percentage: percent, resets_at: 4_000_000_000 } },
  });
  return { stdin };
}

/** Prints first, so that Claude shows the line even when saving fails. */
const statusLine: Story = {
  title: "status line near the usage cap",
  async prepare(world) {
    await saveWords(world, "work");
    await world.runtime(["statusline"], line(world, 50));
    return { words: ["statusline"], ...line(world, 98) };
  },
  outcome(world) {
    const used = JSON.parse(readFileSync(world.checkpoints.usagePath, "utf8")).usage.five_hour.percent;
    expect([50, 98]).toContain(used);
    return used === 98 ? "new" : "old";
  },
  async recover(world) {
    await world.runtime(["statusline"], line(world, 99));
    const history = readFileSync(world.checkpoints.usagePath.replace("usage.json", "usage-history.json"), "utf8");
    expect((JSON.parse(history) as { samples: unknown[] }).samples.length).toBeGreaterThan(0);
    expect(world.checkpoints.of(world.directory).seen.usage).toContain("usage limit");
    const windows = readFileSync(join(world.files.root, "context-windows.json"), "utf8");
    expect(JSON.parse(windows)).toEqual({ s: 99_000 });
  },
  alwaysSucceeds: true,
  prints: /^5h 98% /,
};

export const checkpointStories: readonly Story[] = [save, replace, clear, statusLine];
