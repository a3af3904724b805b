// Restore and undo of files: everything that is replaced is kept, and nothing else is touched.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FileWorld } from "../../support/worlds/file-world.ts";

/** A repository with a commit, a staged change, a stash and an ignored file. */
async function busyRepository(world: FileWorld): Promise<void> {
  world.git("init -q");
  world.write(".gitignore", "*.log\n");
  world.write("a", "1\n");
  world.write("src/b", "1\n");
  world.git("add . && git -c user.name=a -c user.email=a@b commit -qm one");
  world.write("a", "stashed\n");
  world.git("stash -q");
  world.write("src/b", "staged\n");
  world.git("add src/b");
  world.write("src/b", "unstaged\n");
  world.write("notes.log", "ignored");
}

/** What a restore of files must leave alone. */
const gitState = (world: FileWorld): string[] => [
  world.git("rev-parse HEAD"),
  world.git("diff --cached"),
  world.git("stash list"),
  readFileSync(join(world.work, ".git/HEAD"), "utf8"),
  readFileSync(join(world.work, ".git/index")).toString("base64"),
];

test("restore goes back one change, and undo brings it forward again", async () => {
  using world = new FileWorld();
  await busyRepository(world);
  const before = world.state();
  await world.mark();
  const git = gitState(world);
  world.shell("rm -r src && echo new > created && mkdir -p x/y && echo z > x/y/z && echo 2 > a");
  const after = world.state();
  await world.mark();
  const out = JSON.parse(await world.succeed(["restore", "--files", "--json"])) as { changes: object[] };
  expect(out.changes).toHaveLength(4);
  expect(world.state()).toEqual(before);
  expect(existsSync(join(world.work, "x"))).toBe(false);
  await world.succeed(["undo"]);
  expect(world.state()).toEqual(after);
  expect(gitState(world)).toEqual(git);
  expect(world.text("notes.log")).toBe("ignored");
});

test("a state that no hook has seen is kept before a restore replaces it", async () => {
  using world = new FileWorld();
  world.write("a", "1");
  await world.mark();
  world.write("a", "precious");
  await world.succeed(["restore", "--files", "--to", "f1"]);
  expect(world.text("a")).toBe("1");
  await world.succeed(["undo", "--files"]);
  expect(world.text("a")).toBe("precious");
});

test("a dry run lists every step and changes nothing", async () => {
  using world = new FileWorld();
  world.write("a", "1");
  await world.mark();
  world.write("a", "2");
  world.write("b", "2");
  const state = world.state();
  const text = await world.succeed(["restore", "--files", "--to", "f1", "--dry-run"]);
  expect(text).toMatch(/change\s+a\nremove\s+b/);
  expect(world.state()).toEqual(state);
});

test("paths limit a restore, and its undo touches no other file", async () => {
  using world = new FileWorld();
  await world.markWith({ "src/a": "1", "docs/a": "1" });
  await world.markWith({ "src/a": "2", "docs/a": "2" });
  await world.succeed(["restore", "--files", "--to", "f1", "src"]);
  expect([world.text("src/a"), world.text("docs/a")]).toEqual(["1", "2"]);
  world.write("docs/a", "3");
  await world.succeed(["undo"]);
  expect([world.text("src/a"), world.text("docs/a")]).toEqual(["2", "3"]);
});

test("the kind of a path may change in both directions", async () => {
  using world = new FileWorld();
  world.write("file", "1");
  world.write("directory/inside", "1");
  symlinkSync("file", join(world.work, "link"));
  const first = world.state();
  await world.mark();
  world.shell(
    "rm -r file directory link && mkdir file link && echo 2 > file/inside && echo 2 > link/inside && ln -s x directory",
  );
  const second = world.state();
  await world.mark();
  await world.succeed(["restore", "--files", "--to", "f1"]);
  expect(world.state()).toEqual(first);
  await world.succeed(["undo"]);
  expect(world.state()).toEqual(second);
});

describe("refuses, and changes nothing", () => {
  const refused = async (world: FileWorld, words: string[], reason: string): Promise<void> => {
    const state = world.state();
    const { exitCode, stderr } = await world.command(words);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(reason)]);
    expect(world.state()).toEqual(state);
  };

  test("when an ignored file is in the way", async () => {
    using world = new FileWorld();
    world.write("a", "1");
    world.write("b", "1");
    await world.mark();
    rmSync(join(world.work, "a"));
    world.write("b", "2");
    await world.mark();
    world.write(".gitignore", "a\n");
    world.write("a", "ignored now");
    await refused(world, ["restore", "--files", "--to", "f1"], "a exists, but is in no mark");
  });

  test("when a link would lead out of the project", async () => {
    using world = new FileWorld();
    world.write("dir/file", "1");
    world.write(".gitignore", "\n");
    await world.mark();
    const outside = join(world.home, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "file"), "not yours");
    world.shell(`rm -r dir && ln -s ${outside} dir && echo dir > .gitignore`);
    await refused(world, ["restore", "--files", "--to", "f1"], "dir is in the way");
    expect(readFileSync(join(outside, "file"), "utf8")).toBe("not yours");
  });

  test("in the middle of a merge, unless forced", async () => {
    using world = new FileWorld();
    await busyRepository(world);
    await world.mark();
    world.write("a", "2");
    writeFileSync(join(world.work, ".git/MERGE_HEAD"), "0".repeat(40));
    await refused(world, ["restore", "--files", "--to", "f1"], "a merge of git is not finished");
    await world.succeed(["restore", "--files", "--to", "f1", "--force"]);
  });

  test("an undo after newer work, unless forced", async () => {
    using world = new FileWorld();
    world.write("a", "1");
    await world.mark();
    world.write("a", "2");
    await world.mark();
    await world.succeed(["restore", "--files", "--to", "f1"]);
    world.write("a", "newer work");
    await refused(world, ["undo"], "a changed since the restore");
    await world.succeed(["undo", "--force"]);
    expect(world.text("a")).toBe("2");
    const marks = world.record()?.marks ?? [];
    await world.succeed(["restore", "--files", "--to", `f${marks.at(-2)?.n}`]);
    expect(world.text("a")).toBe("newer work");
  });

  test("when a saved content is damaged", async () => {
    using world = new FileWorld();
    world.write("a", "1");
    await world.mark();
    const id = world.shell("git hash-object a").trim();
    world.write("a", "2");
    world.shell(`rm -f ${world.treeDirectory()}/objects/${id.slice(0, 2)}/${id.slice(2)}`);
    const { exitCode, stderr } = await world.command(["restore", "--files", "--to", "f1"]);
    expect([exitCode, stderr]).toEqual([6, expect.stringContaining("damaged; nothing was changed")]);
    expect(world.text("a")).toBe("2");
  });

  test("an unknown point, with what would be one", async () => {
    using world = new FileWorld();
    world.write("a", "1");
    await world.mark();
    expect(await world.command(["restore", "--files", "--to", "soon"])).toMatchObject({ exitCode: 2 });
    expect(await world.command(["restore", "--files", "--to", "f9"])).toMatchObject({ exitCode: 4 });
    expect(await world.command(["restore", "--files", "/etc/passwd"])).toMatchObject({ exitCode: 2 });
    expect(await world.command(["restore", "a", "b"])).toMatchObject({ exitCode: 2 });
  });
});

test("a restore that was killed half-way is completed by the same restore, and taken back by undo", async () => {
  using world = new FileWorld();
  for (const name of "abcdef") world.write(name, "1");
  const first = world.state();
  await world.mark();
  for (const name of "abcdef") world.write(name, "2");
  const second = world.state();
  await world.mark();
  const interrupt = (): void => {
    // The state that a kill leaves: the intention is recorded, and one file is written.
    const record = JSON.parse(readFileSync(world.recordPath(), "utf8")) as { restores: object[] };
    record.restores.push({ time: Date.now(), from: 2, to: 1, paths: [], state: "started" });
    writeFileSync(world.recordPath(), JSON.stringify(record));
    world.write("a", "1");
  };
  interrupt();
  expect(await world.command(["restore", "--files", "--to", "f2"])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("was interrupted"),
  });
  await world.succeed(["undo"]);
  expect(world.state()).toEqual(second);
  interrupt();
  await world.succeed(["restore", "--files", "--to", "f1"]);
  expect(world.state()).toEqual(first);
  await world.succeed(["undo"]);
  expect(world.state()).toEqual(second);
});
