// The hook before a Bash command: the state before every destructive command is kept, and a harmless one costs no mark.
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { destructive, harmless } from "../../core/files/command-lines.ts";
import { until } from "../../support/until.ts";
import { FileWorld } from "../../support/worlds/file-world.ts";

test("takes one mark before each command that can destroy files, and none before a harmless one", async () => {
  using world = new FileWorld();
  world.write("file", "first");
  await world.mark();
  for (const line of harmless) {
    world.write("file", line);
    await world.beforeCommand(line);
    expect([line, world.record()?.count]).toEqual([line, 1]);
  }
  for (const [at, [line, destroyer]] of destructive.entries()) {
    world.write("file", `state ${at}`);
    await world.beforeCommand(line);
    const last = world.record()?.marks.at(-1);
    expect([line, last?.n, last?.before]).toEqual([line, at + 2, destroyer]);
  }
  // Any of them can be brought back.
  await world.succeed(["restore", "--files", "--to", "f7"]);
  expect(world.text("file")).toBe("state 5");
});

test("other tools and calls without a command bring no mark", async () => {
  using world = new FileWorld();
  world.write("file", "first");
  for (const more of [
    {},
    { tool_name: "Edit" },
    { tool_name: "Bash" },
    { tool_name: "Bash", tool_input: { command: 7 } },
  ]) {
    await world.hookHere("PreToolUse", more);
  }
  expect(world.record()).toBeUndefined();
});

test("marks another known workspace that the command names, and no unknown one", async () => {
  using world = new FileWorld();
  const own = world.work;
  const other = join(world.home, "other");
  const unknown = join(world.home, "unknown");
  for (const directory of [other, unknown]) mkdirSync(directory);
  world.write("file", "1");
  await world.mark();
  world.work = other;
  world.write("precious", "1");
  await world.hookHere("Stop");
  const treesOf = (): string[] => readdirSync(join(world.files.root, "trees"));
  await until(() => treesOf().length === 2, "the mark of the other workspace");
  const recordPath = join(
    world.files.root,
    "trees",
    treesOf().find((name) => name.startsWith("other-")) ?? "",
    "marks.json",
  );
  const marks = (): { before: string | null }[] =>
    (JSON.parse(readFileSync(recordPath, "utf8")) as { marks: { before: string | null }[] }).marks;
  await until(() => existsSync(recordPath), "its record");
  world.write("precious", "newer");
  writeFileSync(join(unknown, "file"), "1");
  world.work = own;
  await world.beforeCommand("rm -rf ../other ../unknown");
  expect(marks().at(-1)?.before).toBe("rm");
  expect(marks().length).toBe(2);
  expect(treesOf().length).toBe(2);
});
