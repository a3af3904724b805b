// What the stories of file marks have in common: a project in two states, its marks, and the proof that they can be restored.
import { expect } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultWorld } from "../fault-world.ts";
import type { Command } from "../story.ts";

export const id = "file-session";

export interface MarksRecord {
  workspace: string;
  identity: string;
  count: number;
  marks: { n: number; tree: string; time: number }[];
  restores: { state: string }[];
  origin?: { roots: string[] };
}

/** The repositories of all workspaces. */
export function treesOf(world: FaultWorld): string[] {
  const trees = join(world.files.root, "trees");
  const names = existsSync(trees) ? readdirSync(trees) : [];
  return names.filter((name) => !name.startsWith(".")).map((name) => join(trees, name));
}

export const treeOf = (world: FaultWorld): string => treesOf(world)[0] ?? "";

export const readMarks = (tree: string): MarksRecord =>
  JSON.parse(readFileSync(join(tree, "marks.json"), "utf8")) as MarksRecord;

export const recordOf = (world: FaultWorld): MarksRecord => readMarks(treeOf(world));

export type State = { readonly [path: string]: string };

/** The two states of the project: one file changes, one goes, one comes. */
export const states: readonly [State, State] = [
  { changed: "first", "dir/gone": "first" },
  { changed: "second", "new/come": "second" },
];

/** Leaves a repository of the project alone. */
export function enter(directory: string, state: State): void {
  mkdirSync(directory, { recursive: true });
  for (const name of readdirSync(directory)) {
    if (name !== ".git") rmSync(join(directory, name), { recursive: true });
  }
  for (const [name, content] of Object.entries(state)) {
    const path = join(directory, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, content);
  }
}

export const contents = (directory: string): { [name: string]: string } =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.includes(".tmp-"))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.startsWith(`${directory}/.git/`))
      .map((path) => [path.slice(directory.length + 1), readFileSync(path, "utf8")]),
  );

export const hookOf = (world: FaultWorld, cwd = world.directory): Command => ({
  words: ["session-snapshot", "hook"],
  stdin: world.payload(id, "Stop", { cwd }),
});

/** Git reads every object of every mark. */
export function expectComplete(world: FaultWorld): void {
  for (const directory of treesOf(world)) {
    const marks = existsSync(join(directory, "marks.json")) ? readMarks(directory).marks : [];
    for (const { tree } of marks) {
      const words = ["git", "--git-dir", directory, "archive", "--format=tar", tree];
      const { exitCode, stderr } = Bun.spawnSync(words, { env: world.env, stdout: "ignore" });
      expect([exitCode, stderr.toString()]).toEqual([0, expect.any(String)]);
    }
  }
}

/** Also on a busy machine, the mark is taken while the hook waits. */
export function waitForMarks(world: FaultWorld): void {
  world.env["SESSION_SNAPSHOT_FILES_WAIT_SECONDS"] = "60";
}

export async function runFiles(world: FaultWorld, words: string[], cwd = world.directory): Promise<void> {
  const { exitCode, stderr } = await world.runtime(["session-snapshot", ...words], { cwd });
  expect([exitCode, stderr]).toEqual([0, stderr]);
}

export async function expectRestorable(
  world: FaultWorld,
  of: readonly State[],
  directory = world.directory,
): Promise<void> {
  for (const [at, state] of of.entries()) {
    await runFiles(world, ["restore", "--files", "--to", `f${at + 1}`], directory);
    expect(contents(directory)).toEqual(state);
  }
}

/** Takes two marks. */
export async function markBoth(
  world: FaultWorld,
  of: readonly [State, State],
  directory = world.directory,
): Promise<void> {
  waitForMarks(world);
  for (const state of of) {
    enter(directory, state);
    await world.hookWith(hookOf(world, directory).stdin ?? "");
  }
}

/** Runs git in a directory, with a name and an address of its own. */
export function git(world: FaultWorld, directory: string, ...commands: readonly string[][]): void {
  const identity = ["-c", "user.name=T", "-c", "user.email=t@example.invalid"];
  for (const words of commands) {
    const { exitCode, stderr } = Bun.spawnSync(["git", ...identity, ...words], { cwd: directory, env: world.env });
    expect([exitCode, stderr.toString()]).toEqual([0, expect.any(String)]);
  }
}
