// A malicious repository: a file mark and a restore of files run git, and nothing that the repository names.
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { executable } from "../support/executable.ts";
import { straceProblem } from "../faults/strace.ts";
import { FileWorld } from "../support/worlds/file-world.ts";

/** Every place where a repository can name a program, and every one of them names the trap. */
function plant(world: FileWorld): string {
  const trap = join(world.home, "trap");
  const program = join(world.home, "evil");
  writeFileSync(program, `#!/bin/sh\ntouch ${trap}\ncat\n`, { mode: 0o755 });
  world.git("init -q");
  world.write("a.txt", "one\n");
  world.write("data.lfs", "large\n");
  world.git("add . && git -c user.name=a -c user.email=a@b commit -qm one");
  const settings = `
[core]
	fsmonitor = ${program}
	hooksPath = ${world.work}/hooks
	pager = ${program}
	editor = ${program}
	sshCommand = ${program}
	gitProxy = ${program}
	askPass = ${program}
	attributesFile = ${world.work}/attributes
	alternateRefsCommand = ${program}
	worktree = /
[diff]
	external = ${program}
[diff "evil"]
	command = ${program}
	textconv = ${program}
[merge "evil"]
	driver = ${program} %A
[filter "evil"]
	clean = ${program}
	smudge = ${program}
	process = ${program}
	required = true
[filter "lfs"]
	clean = ${program}
	smudge = ${program}
	process = ${program}
	required = true
[gpg]
	program = ${program}
[credential]
	helper = ${program}
[include]
	path = ${world.work}/more-config
[alias]
	diff-files = !${program}
	ls-files = !${program}
	update-index = !${program}
	write-tree = !${program}
[uploadpack]
	packObjectsHook = ${program}
[extensions]
	partialClone = origin
[remote "origin"]
	url = ext::${program}
	promisor = true
`;
  world.shell(`cat >> .git/config <<'EOF'\n${settings}\nEOF`);
  // A home of the user with the same settings must not matter either.
  writeFileSync(join(world.home, ".gitconfig"), settings.replace(/\tworktree.*\n/, ""));
  world.write("more-config", settings);
  world.write("attributes", "* filter=evil diff=evil merge=evil\n");
  world.write(".gitattributes", "* filter=evil diff=evil merge=evil text eol=crlf ident\n*.lfs filter=lfs\n");
  world.write(".gitmodules", `[submodule "x"]\n\tpath = nested\n\turl = ext::${program}\n\tupdate = !${program}\n`);
  for (const hook of [
    "post-checkout",
    "pre-commit",
    "post-index-change",
    "fsmonitor-watchman",
    "reference-transaction",
  ]) {
    world.write(`hooks/${hook}`, readFileSync(program), 0o755);
    writeFileSync(join(world.work, ".git/hooks", hook), readFileSync(program), { mode: 0o755 });
  }
  mkdirSync(join(world.work, "nested"));
  world.shell(`cd nested && git init -q && echo x > file && cp ../.git/config .git/config && cp ../.gitattributes .`);
  // Programs that a careless search would find first.
  for (const name of ["git", "sh", "less", "pager"]) world.write(`bin/${name}`, readFileSync(program), 0o755);
  world.env["PATH"] = `${world.work}/bin:.:bin:/usr/bin:/bin`;
  Object.assign(world.env, {
    GIT_EXTERNAL_DIFF: program,
    GIT_SSH_COMMAND: program,
    GIT_DIR: "/nowhere",
    PAGER: program,
  });
  return trap;
}

/** Every program that was started, by its path. */
function programsIn(log: string): string[] {
  const lines = readFileSync(log, "utf8").split("\n");
  const started = lines.flatMap((line) => /execve\("([^"]+)".* = 0$/.exec(line)?.[1] ?? []);
  return [...new Set(started)].sort();
}

test.skipIf(straceProblem !== undefined)("only git and our own program run, and no byte changes", async () => {
  using world = new FileWorld();
  const trap = plant(world);
  const state = world.state();
  world.grow(world.sessionId, 1_000);
  const log = join(world.home, "strace.log");
  const traced = async (words: string[], stdin = ""): Promise<void> => {
    const child = Bun.spawn(
      ["/usr/bin/strace", "-f", "-qq", "-A", "-e", "trace=execve", "-o", log, executable, ...words],
      {
        env: world.env,
        cwd: world.work,
        stdin: new TextEncoder().encode(stdin),
        stdout: "ignore",
        stderr: "pipe",
      },
    );
    const [stderr, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
    expect([exitCode, stderr]).toEqual([0, stderr]);
  };
  const snapshot = ["session-snapshot"];
  const hook = (event: string): Promise<void> =>
    traced([...snapshot, "hook"], world.payload(world.sessionId, event, { cwd: world.work }));
  await hook("Stop");
  world.write("a.txt", "two\n");
  world.write("nested/file", "changed\n");
  await hook("SessionEnd");
  await traced([...snapshot, "diff", "--plain"]);
  await traced([...snapshot, "list"]);
  await traced([...snapshot, "restore", "--files", "--to", "f1"]);
  expect(world.state()).toEqual(state);
  await traced([...snapshot, "undo"]);
  await traced([...snapshot, "maintain"]);
  await traced(["doctor"]).catch(() => undefined);

  const programs = programsIn(log);
  const others = programs.filter(
    (path) => path !== executable && !/^\/usr\/(bin|lib\/git-core)\/git(-[a-z-]+)?$/.test(path),
  );
  expect(others.filter((path) => path.startsWith(world.home))).toEqual([]);
  expect(programs).toContain("/usr/bin/git");
  expect(existsSync(trap)).toBe(false);
});
