// File marks belong to us alone: what happens to the project, or to its repository, costs none of them.
import { expect, test } from "bun:test";
import { readdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { FileWorld } from "../../support/worlds/file-world.ts";

/** More files than are needed for links, in a pack and as loose objects. */
async function packedRepository(world: FileWorld): Promise<{ [path: string]: string }[]> {
  world.git("init -q");
  for (let n = 0; n < 150; n++) world.write(`packed/${n}.txt`, `content ${n}\n`.repeat(20));
  world.git("add . && git -c user.name=a -c user.email=a@b commit -qm one && git repack -adq");
  for (let n = 0; n < 20; n++) world.write(`loose/${n}.txt`, `loose ${n}\n`);
  world.git("add . && git -c user.name=a -c user.email=a@b commit -qm two");
  const states = [world.state()];
  await world.mark();
  world.write("packed/1.txt", "changed, never committed\n");
  world.write("untracked", "new\n");
  states.push(world.state());
  await world.mark();
  return states;
}

async function expectAll(world: FileWorld, states: { [path: string]: string }[]): Promise<void> {
  for (const [at, state] of states.entries()) {
    await world.succeed(["restore", "--files", "--to", `f${at + 1}`, "--force"]);
    expect(world.state()).toEqual(state);
  }
}

test("the first mark links the objects of the repository instead of copying them", async () => {
  using world = new FileWorld();
  await packedRepository(world);
  const packs = join(world.treeDirectory(), "objects/pack");
  const pack = readdirSync(packs).find((name) => name.endsWith(".pack")) ?? "";
  expect(statSync(join(packs, pack)).nlink).toBe(2);
});

test.each([
  ["gc", "git gc -q --prune=now --aggressive && git reflog expire --expire=now --all && git gc -q --prune=now"],
  [
    "a rewritten history",
    "git checkout -q --orphan new && git -c user.name=a -c user.email=a@b commit -qm x && git branch -qD master main 2>/dev/null; git reflog expire --expire=now --all; git gc -q --prune=now",
  ],
  ["the removal of the repository", "rm -rf .git"],
  ["the removal of everything", "rm -rf .git && rm -rf ./*"],
])("every mark survives %s", async (_, command) => {
  using world = new FileWorld();
  const states = await packedRepository(world);
  world.shell(command);
  await expectAll(world, states);
});

test("every mark survives a move of the project, and its files follow", async () => {
  using world = new FileWorld();
  const states = await packedRepository(world);
  const moved = join(world.home, "renamed");
  renameSync(world.work, moved);
  world.work = moved;
  await expectAll(world, states);
  expect(readdirSync(join(world.files.root, "trees"))).toHaveLength(1);
});

test("a new project at the place of a removed one does not get its marks", async () => {
  using world = new FileWorld();
  world.write("a", "1");
  await world.mark();
  world.shell(`cd ${world.home} && rm -rf work`);
  world.work = join(world.home, "other");
  world.write("b", "1");
  await world.hookHere("Stop");
  expect(readdirSync(join(world.files.root, "trees"))).toHaveLength(2);
});
