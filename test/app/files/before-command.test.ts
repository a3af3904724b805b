// The hook before a Bash command: the state before every destructive command is kept, and a harmless one costs no mark.
import { expect, test } from "bun:test";
import { destructive, harmless } from "../../core/files/command-lines.ts";
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
