// What a restore of files must not remove or overwrite: files that the target state had, but did not contain, and newer work.
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { carryOut, type Move } from "../../../src/app/files/move-files.ts";
import { findGit } from "../../../src/io/git/find-git.ts";
import { compareTrees } from "../../../src/store/trees/read-trees.ts";
import { executable } from "../../support/executable.ts";
import { FileWorld } from "../../support/worlds/file-world.ts";

test("files that were ignored at the target stay, even when they are not ignored any more", async () => {
  using world = new FileWorld();
  world.write(".gitignore", "/build/\n.env\n");
  world.write("sub/.gitignore", "*.tmp\n");
  world.write(".env", "KEY=1");
  world.write("build/out", "compiled");
  world.write("sub/cache.tmp", "cache");
  world.write("a", "1");
  await world.mark();
  world.shell("rm .gitignore sub/.gitignore");
  world.write("new", "created since");
  await world.succeed(["restore", "--files", "--to", "f1"]);
  expect(world.text(".env")).toBe("KEY=1");
  expect(world.text("build/out")).toBe("compiled");
  expect(world.text("sub/cache.tmp")).toBe("cache");
  expect(world.text(".gitignore")).toBe("/build/\n.env\n");
  expect(existsSync(join(world.work, "new"))).toBe(false);
  await world.succeed(["undo"]);
  expect(existsSync(join(world.work, ".gitignore"))).toBe(false);
  expect(world.text("new")).toBe("created since");
});

test("a file that was too large for the target's mark stays when it is small now", async () => {
  using world = new FileWorld();
  world.env["SESSION_SNAPSHOT_FILES_MAX_FILE_BYTES"] = "1000";
  world.write("big", "x".repeat(2_000));
  world.write("a", "1");
  await world.mark();
  world.write("big", "small");
  world.write("a", "2");
  await world.succeed(["restore", "--files", "--to", "f1"]);
  expect([world.text("a"), world.text("big")]).toEqual(["1", "small"]);
});

test("refuses to overwrite a file that has become too large to be saved", async () => {
  using world = new FileWorld();
  world.env["SESSION_SNAPSHOT_FILES_MAX_FILE_BYTES"] = "1000";
  world.write("big", "small");
  world.write("a", "1");
  await world.mark();
  const grown = "x".repeat(2_000);
  world.write("big", grown);
  world.write("a", "2");
  await world.mark();
  expect(world.record()?.marks.at(-1)?.left).toMatchObject([{ path: "big", why: "large" }]);
  const { exitCode, stderr } = await world.command(["restore", "--files", "--to", "f1"]);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("big exists, but is in no mark")]);
  expect([world.text("a"), world.text("big")]).toEqual(["2", grown]);
  await world.succeed(["restore", "--files", "--to", "f1", "a"]);
  expect([world.text("a"), world.text("big")]).toEqual(["1", grown]);
});

test("a file that became a repository is saved with its content", async () => {
  using world = new FileWorld();
  world.git("init -q");
  world.write("part", "a file");
  world.write("a", "1");
  await world.mark();
  world.shell(
    "rm part && git init -q part && cd part && echo precious > work && git add . && git -c user.name=a -c user.email=a@b commit -qm one",
  );
  await world.mark();
  world.shell("echo lost > part/work");
  await world.succeed(["restore", "--files", "--to", "f2"]);
  expect(world.text("part/work")).toBe("precious\n");
});

test("a file that another program writes during the restore stays as it is", async () => {
  using world = new FileWorld();
  await world.markWith({ a: "1", b: "1" });
  await world.markWith({ a: "2", c: "2" });
  const git = { executable: findGit(process.env["PATH"] ?? "", world.work) ?? "", directory: world.treeDirectory() };
  const [first, second] = world.record()?.marks ?? [];
  const changes = await compareTrees(git, second?.tree ?? "", first?.tree ?? "");
  const moveOf = (path: string): Move => ({
    root: world.work,
    changes: changes.filter((change) => change.path === path),
    modes: { modes: {}, mask: 0o022 },
    since: 0,
  });
  for (const path of ["a", "c"]) {
    world.write(path, "newer");
    const failed = await carryOut(git, moveOf(path)).catch((error: unknown) => String(error));
    expect(failed).toContain(`${path} has changed meanwhile`);
    expect(world.text(path)).toBe("newer");
  }
});

test("an undo that fails can be tried again", async () => {
  using world = new FileWorld();
  world.write("a", "1");
  await world.mark();
  world.write("a", "2".repeat(100_000));
  await world.mark();
  await world.succeed(["restore", "--files", "--to", "f1"]);
  // No file may have more than 100 blocks of 512 bytes.
  const limited = `trap '' XFSZ; ulimit -f 100; '${executable}' session-snapshot undo 2>&1 || true`;
  expect(world.shell(limited)).toContain("nothing was changed");
  expect(world.text("a")).toBe("1");
  await world.succeed(["undo"]);
  expect(world.text("a")).toBe("2".repeat(100_000));
});

test("an interrupted restore of some paths is not completed by one of other paths", async () => {
  using world = new FileWorld();
  for (const name of ["a", "b"]) world.write(name, "1");
  await world.mark();
  for (const name of ["a", "b"]) world.write(name, "2");
  await world.mark();
  await world.succeed(["restore", "--files", "--to", "f1", "a"]);
  const text = readFileSync(world.recordPath(), "utf8").replace('"state":"done"', '"state":"started"');
  writeFileSync(world.recordPath(), text);
  const { exitCode, stderr } = await world.command(["restore", "--files", "--to", "f1", "b"]);
  expect([exitCode === 0, world.text("b")]).toEqual([false, "2"]);
  expect(stderr).toContain("--to f1 a");
  await world.succeed(["undo"]);
  expect(world.text("a")).toBe("2");
});

test("permission bits that most files have are not listed in every mark", async () => {
  using world = new FileWorld();
  for (let n = 0; n < 20; n++) world.write(`f${n}`, "1");
  world.shell("chmod 664 f* && chmod 600 f7");
  await world.mark();
  const state = world.state();
  const [mark] = (JSON.parse(readFileSync(world.recordPath(), "utf8")) as { marks: { modes: object }[] }).marks;
  expect(mark?.modes).toEqual({ f7: 0o600 });
  world.shell("rm f*");
  await world.succeed(["restore", "--files", "--to", "f1"]);
  expect(world.state()).toEqual(state);
});

test("a directory that existed at the target stays, even when it was empty then", async () => {
  using world = new FileWorld();
  world.write("a", "1");
  world.shell("mkdir -p logs/old");
  await world.mark();
  world.write("logs/old/new", "created since");
  world.write("fresh/dir/new", "created since");
  world.write("a", "2");
  await world.succeed(["restore", "--files", "--to", "f1"]);
  expect(world.shell("find . -mindepth 1 | sort").trim().split("\n")).toEqual(["./a", "./logs", "./logs/old"]);
  await world.succeed(["undo"]);
  expect(world.text("logs/old/new")).toBe("created since");
});

test("an old directory gives way to a file of the target", async () => {
  using world = new FileWorld();
  world.write("a", "a file");
  await world.mark();
  world.shell("rm a && mkdir -p a/b/c && echo x > a/b/c/d");
  await world.mark();
  world.write("b", "newer");
  await world.mark();
  await world.succeed(["restore", "--files", "--to", "f1"]);
  expect(world.text("a")).toBe("a file");
  await world.succeed(["undo"]);
  expect(world.text("a/b/c/d")).toBe("x\n");
});

test("an ignored file that the target has, too, is no obstacle and stays when the restore is undone", async () => {
  using world = new FileWorld();
  world.write("a", "1");
  world.write("cache", "same");
  await world.mark();
  world.write(".gitignore", "cache\n");
  world.write("a", "2");
  await world.mark();
  await world.succeed(["restore", "--files", "--to", "f1"]);
  expect([world.text("a"), world.text("cache")]).toEqual(["1", "same"]);
  await world.succeed(["undo"]);
  expect([world.text("a"), world.text("cache")]).toEqual(["2", "same"]);
});

test("refuses when the patterns of the target are damaged, because ignored files would look new", async () => {
  using world = new FileWorld();
  world.write("sub/.gitignore", "*.log\n");
  world.write(".gitignore", "*.tmp\n");
  world.write("sub/a.log", "ignored");
  await world.mark();
  world.shell("rm .gitignore sub/.gitignore");
  const id = world.shell("printf '*.log\\n' | git hash-object --stdin").trim();
  world.shell(`rm -f ${world.treeDirectory()}/objects/${id.slice(0, 2)}/${id.slice(2)}`);
  const { exitCode, stderr } = await world.command(["restore", "--files", "--to", "f1", ".gitignore"]);
  expect([exitCode, stderr]).toEqual([6, expect.stringContaining("sub/.gitignore is damaged")]);
  expect(world.text("sub/a.log")).toBe("ignored");
});
