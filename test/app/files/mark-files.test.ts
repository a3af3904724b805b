// What a file mark contains: the exact state of a project, whatever its repository says.
import { describe, expect, test } from "bun:test";
import { chmodSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../support/until.ts";
import { FileWorld } from "../../support/worlds/file-world.ts";

/** Empties the project, without git's data, and brings a mark back. */
async function expectRestored(world: FileWorld, mark: number, state: { [path: string]: string }): Promise<void> {
  world.shell("find . -mindepth 1 -maxdepth 1 ! -name .git -exec rm -rf {} +");
  await world.succeed(["restore", "--files", "--to", `f${mark}`]);
  expect(world.state()).toEqual(state);
}

test("a mark brings back bytes, permission bits and links, without any git history", async () => {
  using world = new FileWorld();
  world.write("plain.txt", "one\ntwo\n");
  world.write("windows.txt", "one\r\ntwo\r\n");
  world.write("binary", new Uint8Array([0, 255, 13, 10, 0]));
  world.write("empty", "");
  world.write("deep/in/it/run.sh", "#!/bin/sh\n", 0o755);
  world.write("secret", "password", 0o600);
  for (const name of ["__proto__", "constructor", "-rf", ":(top)x", "n".repeat(255)]) world.write(name, name);
  chmodSync(join(world.work, "__proto__"), 0o640);
  world.write('strange/ -name\n"quoted" \u00e9\u{1f600}', "x");
  writeFileSync(Buffer.concat([Buffer.from(`${world.work}/`), Buffer.from([0x62, 0xff, 0xfe])]), "not UTF-8");
  symlinkSync("plain.txt", join(world.work, "link"));
  symlinkSync("/nowhere", join(world.work, "dangling"));
  const state = world.state();
  await expectRestored(world, await world.mark(), state);
});

test("attributes of a repository change no byte", async () => {
  using world = new FileWorld();
  world.git("init -q");
  world.git("config core.autocrlf true");
  world.git("config filter.rot.clean 'tr a-z n-za-m'");
  world.git("config filter.rot.smudge 'tr a-z n-za-m'");
  world.write(
    ".gitattributes",
    "*.txt text eol=crlf\n*.id ident\n*.rot filter=rot\n*.u16 working-tree-encoding=UTF-16\n",
  );
  world.write("a.txt", "one\ntwo\r\nthree\n");
  world.write("b.id", "$Id: something $\n");
  world.write("c.rot", "hello\n");
  world.write("d.u16", Buffer.from("\ufeffh\u00e9llo\n", "utf16le"));
  const state = world.state();
  await expectRestored(world, await world.mark(), state);
});

/** Most builds of git compare the time of a changed mode by the second. */
async function nextSecond(): Promise<void> {
  // The times of files come from a clock that is some milliseconds late.
  const second = (): number => Math.floor((Date.now() - 100) / 1_000);
  const now = second();
  await until(() => second() !== now, "the next second");
}

test("takes no second mark when nothing changed, and one for a changed mode alone", async () => {
  using world = new FileWorld();
  world.write("a", "1");
  await world.mark();
  await world.hookHere("Stop");
  await world.beforeCommand("rm a");
  expect(world.record()?.count).toBe(1);
  // Touched, but with the same content.
  world.write("a", "1");
  await world.hookHere("Stop");
  expect(world.record()?.count).toBe(1);
  await nextSecond();
  chmodSync(join(world.work, "a"), 0o600);
  expect(await world.mark()).toBe(2);
  await world.succeed(["restore", "--files", "--to", "f1"]);
  expect(world.state()["a"]).toStartWith("644 ");
});

describe("ignored files", () => {
  test("are not saved, unless the project tracks them or a setting names them", async () => {
    using world = new FileWorld();
    world.git("init -q");
    world.write(".gitignore", "*.log\n.env*\ndata/\nnode_modules/\n");
    world.write("kept.log", "tracked");
    world.git("add -f kept.log");
    world.write("other.log", "ignored");
    world.write(".env.local", "TOKEN=1");
    world.write("data/set.csv", "1,2");
    world.write("node_modules/a/index.js", "x");
    world.env["SESSION_SNAPSHOT_FILES_INCLUDE"] = ".env*,data/";
    await world.mark();
    expect(world.markedPaths(0).sort()).toEqual([".env.local", ".gitignore", "data/set.csv", "kept.log"]);
  });

  test("leave the next mark when a pattern is added for them", async () => {
    using world = new FileWorld();
    await world.markWith({ "token.txt": "secret", a: "1" });
    await world.markWith({ ".gitignore": "token.txt\n" });
    expect(world.markedPaths(1)).toEqual([".gitignore", "a"]);
    expect(world.text("token.txt")).toBe("secret");
  });
});

test("a file above the limit is named, not saved, and a restore leaves it alone", async () => {
  using world = new FileWorld();
  world.env["SESSION_SNAPSHOT_FILES_MAX_FILE_BYTES"] = "1000";
  world.write("small", "1");
  world.write("large", "x".repeat(2_000));
  await world.mark();
  expect(world.record()?.marks[0]?.left).toEqual([{ path: "large", bytes: 2_000, why: "large" }]);
  world.write("small", "2");
  await world.mark();
  const { stderr, exitCode } = await world.command(["restore", "--files", "--to", "f1"]);
  expect(exitCode).toBe(0);
  expect(stderr).toContain("large");
  expect([world.text("small"), world.text("large").length]).toEqual(["1", 2_000]);
});

test("nested repositories, submodules and Claude's worktrees are saved with their content", async () => {
  using world = new FileWorld();
  world.git("init -q");
  world.write("a", "1");
  world.write(".gitignore", ".claude/worktrees/\n");
  world.git("add . && git -c user.name=a -c user.email=a@b commit -qm one");
  world.shell("mkdir -p vendor/lib && cd vendor/lib && git init -q");
  world.write("vendor/lib/code.c", "int x;\n");
  world.write("vendor/lib/.gitignore", "*.o\n");
  world.write("vendor/lib/code.o", "object");
  world.shell("cd vendor/lib && mkdir inner && cd inner && git init -q && echo deep > file");
  world.git("worktree add -q .claude/worktrees/feature");
  world.write(".claude/worktrees/feature/new.ts", "export {};\n");
  world.shell("git -c protocol.file.allow=always submodule --quiet add ./vendor/lib sub 2>/dev/null || true");
  const first = world.state();
  await world.mark();
  world.write("vendor/lib/code.c", "int y;\n");
  world.write("vendor/lib/inner/file", "changed\n");
  rmSync(join(world.work, ".claude/worktrees/feature/new.ts"));
  await world.mark();
  await world.succeed(["restore", "--files", "--to", "f1"]);
  expect(world.state()).toEqual(first);
});

test("an unreadable file, a pipe and a name that git reserves do not prevent the mark", async () => {
  using world = new FileWorld();
  world.write("a", "1");
  world.write("sub/.git/HEAD", "not a repository");
  world.write("git~1", "x");
  world.shell("mkfifo pipe");
  await world.mark();
  const tree = world.record()?.marks[0]?.tree ?? "";
  const listed = world.shell(`git --git-dir ${world.treeDirectory()} ls-tree -r --name-only ${tree}`);
  expect(listed.trim().split("\n")).toEqual(["a", "git~1"]);
});

test("a damaged index is only a cache: the next mark is complete", async () => {
  using world = new FileWorld();
  world.write("a", "1");
  await world.mark();
  writeFileSync(join(world.treeDirectory(), "index"), "garbage");
  writeFileSync(join(world.treeDirectory(), "index.lock"), "");
  world.write("b", "2");
  const state = world.state();
  await expectRestored(world, await world.mark(), state);
});

test("a mark that Claude does not wait for is taken in the background, and is called late", async () => {
  using world = new FileWorld();
  world.env["SESSION_SNAPSHOT_FILES_WAIT_SECONDS"] = "0";
  world.write("a", "1");
  await world.mark();
  world.write("a", "2");
  await world.mark();
  expect(world.record()?.marks.map(({ late }) => late)).toEqual([true, true]);
});

test("the home directory is never marked", async () => {
  using world = new FileWorld();
  world.work = world.home;
  await world.hookHere("Stop");
  expect(world.record()).toBeUndefined();
  const { exitCode, stderr } = await world.command(["restore", "--files"]);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("is not a project")]);
});

test("without git it is off, and doctor says so", async () => {
  using world = new FileWorld();
  world.write("a", "1");
  const check = async (): Promise<unknown> => {
    const { stdout } = await world.aiRuntime(["doctor", "--json"]);
    const { findings } = JSON.parse(stdout) as { findings: { name: string }[] };
    return findings.find(({ name }) => name === "files");
  };
  expect(await check()).toMatchObject({ state: "good", message: expect.stringContaining("saved with git ") });
  world.env["PATH"] = "/nowhere";
  await world.hookHere("Stop");
  expect(world.record()).toBeUndefined();
  expect(await check()).toMatchObject({ state: "doubtful", message: expect.stringContaining("git is not on PATH") });
  expect(await world.command(["restore", "--files"])).toMatchObject({ exitCode: 1 });
});

test("the setting switches it off", async () => {
  using world = new FileWorld();
  world.env["SESSION_SNAPSHOT_FILES"] = "off";
  world.write("a", "1");
  await world.hookHere("Stop");
  expect(world.record()).toBeUndefined();
});
