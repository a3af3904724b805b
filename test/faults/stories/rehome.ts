// Rehome and its undo: at every moment each record is complete at the old or at the new place, and the next command finishes.
import { expect } from "bun:test";
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allBytes } from "../../support/worlds/all-bytes.ts";
import type { FaultWorld } from "../fault-world.ts";
import type { Command, Story } from "../story.ts";

const id = "00000000-0000-4000-8000-000000000021";
const slugOf = (path: string): string => path.replace(/[^A-Za-z0-9]/g, "-");

const places = (world: FaultWorld) => {
  const [from, to] = [join(world.home, "old"), join(world.home, "new")];
  const projects = join(world.home, ".claude/projects");
  return { from, to, old: join(projects, slugOf(from)), new: join(projects, slugOf(to)) };
};

const transcript = (directory: string): string => join(directory, `${id}.jsonl`);

/** One session with a side file, a snapshot, a checkpoint, and a run. */
async function movedProject(world: FaultWorld): Promise<void> {
  // Also on a busy machine, the file mark is taken before the project moves.
  world.env["SESSION_SNAPSHOT_FILES_WAIT_SECONDS"] = "60";
  const { from, to, old } = places(world);
  mkdirSync(from);
  mkdirSync(join(old, id, "tool-results"), { recursive: true });
  mkdirSync(join(old, "memory"));
  writeFileSync(join(from, "a-file"), "its content");
  writeFileSync(join(old, id, "tool-results/one.txt"), "a long output");
  const line = { type: "user", uuid: "a", sessionId: id, cwd: from, message: { content: "hello" } };
  writeFileSync(transcript(old), `${JSON.stringify(line)}\n`);
  writeFileSync(join(old, "memory/MEMORY.md"), "a note");
  const payload = { session_id: id, transcript_path: transcript(old), cwd: from, hook_event_name: "Stop" };
  await world.hookWith(JSON.stringify(payload));
  const active = join(world.home, ".local/state/ai-runtime/runs/active");
  mkdirSync(active, { recursive: true, mode: 0o700 });
  const plan = {
    id: "20261118-010101-abcd",
    kind: "headless",
    task: "a task",
    cwd: from,
    directory: join(from, ".ai-runtime/sessions/20261118-010101-abcd"),
    sessionId: id,
    claude: "/usr/bin/claude",
    flags: [],
    permissionMode: null,
    claudeConfig: join(world.home, ".claude"),
    created: 1,
    maxWait: null,
    maxBudgetUsd: null,
  };
  const status = {
    phase: "paused",
    since: 1,
    until: null,
    cause: "limit",
    attempts: 1,
    fruitless: 0,
    restores: 0,
    steps: 0,
    lastStep: null,
    costUsd: 0,
    exit: null,
    supervisor: null,
    child: null,
  };
  writeFileSync(join(active, `${plan.id}.json`), `${JSON.stringify({ version: 1, plan, status })}\n`, { mode: 0o600 });
  renameSync(from, to);
}

const rehomeWords = (world: FaultWorld): string[] => {
  const { from, to } = places(world);
  return ["session-snapshot", "rehome", from, to];
};

/** All records without our own locks, caches, logs and the record of the rehome itself. */
const records = (world: FaultWorld): Record<string, string> =>
  allBytes(
    [".claude", ".config/session-snapshot", ".local/state/ai-runtime"].map((name) => join(world.home, name)),
    (path) => /^(rehomed|locks|logs)\/|path-cache|\.tmp-/.test(path),
  );

let before: Record<string, string> = {};
let after: Record<string, string> = {};

/** Half of the way counts as old: the next command completes it. No transcript and no side file is ever missing. */
function present(world: FaultWorld): "old" | "new" {
  const { old, new: target } = places(world);
  const isAt = (directory: string): boolean => existsSync(transcript(directory));
  expect([isAt(old), isAt(target)].filter(Boolean)).toHaveLength(1);
  const texts = [old, target].map((directory) => join(directory, id)).filter((path) => existsSync(path));
  for (const path of texts) expect(readFileSync(join(path, "tool-results/one.txt"), "utf8")).toBe("a long output");
  expect(texts.some((path) => !lstatSync(path).isSymbolicLink())).toBe(true);
  const notes = [old, target].map((directory) => join(directory, "memory/MEMORY.md"));
  expect(notes.filter((path) => existsSync(path))).toHaveLength(1);
  return JSON.stringify(records(world)) === JSON.stringify(after) ? "new" : "old";
}

const expectDone = async (world: FaultWorld, words: readonly string[], cwd?: string): Promise<void> => {
  const { exitCode, stderr } = await world.runtime(words, cwd === undefined ? {} : { cwd });
  expect([exitCode, stderr]).toEqual([0, stderr]);
};

const rehome: Story = {
  title: "rehome",
  async prepare(world): Promise<Command> {
    await movedProject(world);
    before = records(world);
    await expectDone(world, rehomeWords(world));
    after = records(world);
    expect(after).not.toEqual(before);
    await expectDone(world, ["session-snapshot", "undo"], places(world).to);
    expect(records(world)).toEqual(before);
    return { words: rehomeWords(world) };
  },
  outcome: present,
  async recover(world) {
    const { exitCode, stderr } = await world.runtime(rehomeWords(world));
    // Exit code 4: the interrupted one had completed, so nothing is left to move.
    expect([[0, 4].includes(exitCode ?? -1), stderr]).toEqual([true, stderr]);
    expect(records(world)).toEqual(after);
    await expectDone(world, ["session-snapshot", "undo"], places(world).to);
    expect(records(world)).toEqual(before);
  },
};

const undo: Story = {
  title: "undo of a rehome",
  async prepare(world): Promise<Command> {
    await movedProject(world);
    after = records(world);
    await expectDone(world, rehomeWords(world));
    before = records(world);
    return { words: ["session-snapshot", "undo"], cwd: places(world).to };
  },
  outcome: present,
  async recover(world) {
    const { exitCode, stderr } = await world.runtime(["session-snapshot", "undo"], { cwd: places(world).to });
    expect([[0, 4].includes(exitCode ?? -1), stderr]).toEqual([true, stderr]);
    expect(records(world)).toEqual(after);
    await expectDone(world, rehomeWords(world));
    expect(records(world)).toEqual(before);
  },
};

export const rehomeStories: readonly Story[] = [rehome, undo];
