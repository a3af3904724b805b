import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { executable } from "../support/executable.ts";
import { HookWorld } from "../support/hook-world.ts";

setDefaultTimeout(60_000);

const id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";

describe("what is copied", () => {
  test("whole lines only: an unfinished one is not yet there", async () => {
    using world = new HookWorld();
    world.overwrite(id, '{"a":1}\n{"b":2}\n{"unfinished');
    await world.hook(id);
    expect(world.files.mirror(id).toString()).toBe('{"a":1}\n{"b":2}\n');
    expect(world.files.state(id)).toMatchObject({ size: 16, lines: 2, count: 1, generation: 1 });
    world.overwrite(id, '{"a":1}\n{"b":2}\n{"unfinished":3}\n');
    await world.hook(id);
    expect(world.files.mirror(id)).toEqual(world.read(id));
    expect(world.files.state(id).marks.map(({ n, size, lines }) => [n, size, lines])).toEqual([
      [1, 16, 2],
      [2, 33, 3],
    ]);
  });

  test("a line separator inside a string is not a line end", async () => {
    using world = new HookWorld();
    world.overwrite(id, '{"a":"\u2028\u2029\u0085"}\n');
    await world.hook(id);
    expect(world.files.state(id)).toMatchObject({ lines: 1, size: world.read(id).length });
  });

  test("tools first at 200 kB, then for every 80 kB; nothing is written in between", async () => {
    using world = new HookWorld();
    world.grow(id, 190_000);
    await world.hook(id, "PostToolUse");
    expect(existsSync(world.files.root)).toBe(false);
    world.grow(id, 20_000, "second");
    await world.hook(id, "PostToolUse");
    const first = world.files.state(id);
    expect(first.count).toBe(1);
    world.grow(id, 60_000, "third");
    await world.hook(id, "PostToolUse");
    expect(world.files.state(id)).toEqual(first);
    world.grow(id, 25_000, "fourth");
    await world.hook(id, "PostToolUse");
    expect(world.files.state(id)).toMatchObject({ count: 2, size: world.read(id).length });
    expect(world.files.mirror(id)).toEqual(world.read(id));
  });

  test("both numbers are settings, in the file and in the environment", async () => {
    using world = new HookWorld();
    mkdirSync(world.files.root, { recursive: true });
    writeFileSync(join(world.files.root, "config.json"), '{"minSize": 1000, "interval": 1000}');
    world.grow(id, 1_500);
    await world.hook(id, "PostToolUse");
    expect(world.files.state(id).count).toBe(1);
    world.env["SESSION_SNAPSHOT_INTERVAL"] = "5000";
    world.grow(id, 1_500, "second");
    await world.hook(id, "PostToolUse");
    expect(world.files.state(id).count).toBe(1);
  });

  test("each mark says what was known there, and carries over what the new lines do not say", async () => {
    using world = new HookWorld();
    world.grow(id, 1_000, "writes");
    await world.hook(id, "PreCompact", { cwd: "/some/project" });
    world.overwrite(id, `${world.read(id)}{"type":"user"}\n`);
    await world.hook(id, "Stop", { last_assistant_message: "All done." });
    const { marks, cwd } = world.files.state(id);
    expect(cwd).toBe("/some/project");
    expect(marks[0]?.reason).toBe("PreCompact");
    expect(marks[0]?.lastStep).toMatch(/^writes 1 x+…$/);
    expect(marks[0]?.contextTokens).toBeGreaterThan(500);
    expect(marks[1]).toMatchObject({
      reason: "Stop",
      lastMessage: "All done.",
      contextTokens: marks[0]?.contextTokens,
    });
    expect(marks[1]?.lastStep).toBe(marks[0]?.lastStep ?? "");
  });

  test("subagents' transcripts and tool results come along; one that is rewritten is kept beside the new", async () => {
    using world = new HookWorld();
    const side = join(world.project, id);
    mkdirSync(join(side, "subagents"), { recursive: true });
    mkdirSync(join(side, "tool-results"));
    writeFileSync(join(side, "subagents/agent-1.jsonl"), '{"a":1}\n');
    writeFileSync(join(side, "tool-results/x.txt"), "result");
    world.grow(id, 100);
    await world.hook(id);
    writeFileSync(join(side, "subagents/agent-1.jsonl"), '{"a":1}\n{"a":2}\n');
    writeFileSync(join(side, "tool-results/x.txt"), "another result");
    world.grow(id, 100, "second");
    await world.hook(id);
    const kept = join(world.files.root, "snapshots/side-files", id);
    expect(readFileSync(join(kept, "subagents/agent-1.jsonl"), "utf8")).toBe('{"a":1}\n{"a":2}\n');
    expect(readFileSync(join(kept, "tool-results/x.txt"), "utf8")).toBe("another result");
    expect(readFileSync(join(kept, "tool-results/x.txt.before-1"), "utf8")).toBe("result");
    rmSync(side, { recursive: true });
    const restored = await world.run(["restore", id]);
    expect(restored.exitCode).toBe(0);
    expect(readFileSync(join(side, "tool-results/x.txt"), "utf8")).toBe("another result");
    expect(readdirSync(join(side, "tool-results"))).toEqual(["x.txt"]);
  });

  test("side files come along at the end of a turn, also when the transcript did not grow", async () => {
    using world = new HookWorld();
    const side = join(world.project, id, "subagents");
    mkdirSync(side, { recursive: true });
    writeFileSync(join(side, "agent-1.jsonl"), "one\n");
    world.grow(id, 1_000);
    await world.hook(id);
    writeFileSync(join(side, "agent-1.jsonl"), "one\ntwo\n");
    writeFileSync(join(side, "agent-2.jsonl"), "new\n");
    await world.hook(id, "SessionEnd");
    const kept = join(world.files.root, "snapshots/side-files", id, "subagents");
    expect(readFileSync(join(kept, "agent-1.jsonl"), "utf8")).toBe("one\ntwo\n");
    expect(readFileSync(join(kept, "agent-2.jsonl"), "utf8")).toBe("new\n");
    expect(world.files.state(id).count).toBe(1);
  });

  test("Claude's last words are kept beside the mark, also when the transcript has nothing new to go with them", async () => {
    using world = new HookWorld();
    world.grow(id, 1_000);
    await world.hook(id, "PreCompact");
    await world.hook(id, "Stop", { last_assistant_message: "My last words." });
    expect(world.files.state(id).marks).toMatchObject([{ n: 1, lastMessage: "My last words." }]);
  });

  test("a relative transcript path is taken from the directory that Claude works in", async () => {
    using world = new HookWorld();
    world.grow(id, 1_000);
    const relative = { transcript_path: `.claude/projects/-project/${id}.jsonl`, cwd: world.home };
    await world.hook(id, "Stop", relative);
    expect(world.files.state(id).transcriptPath).toBe(world.transcript(id));
    rmSync(world.transcript(id));
    expect(await world.run(["restore", id])).toMatchObject({ exitCode: 0 });
    expect(existsSync(world.transcript(id))).toBe(true);
  });

  test("a relative XDG_CONFIG_HOME is ignored: snapshots never land in a project", async () => {
    using world = new HookWorld();
    world.env["XDG_CONFIG_HOME"] = "config";
    world.grow(id, 1_000);
    await world.hook(id);
    expect(existsSync(join(world.home, "config"))).toBe(false);
    expect(world.files.state(id).count).toBe(1);
  });

  test("our directory may be a link to another disk", async () => {
    using world = new HookWorld();
    const elsewhere = join(world.home, "other-disk");
    mkdirSync(elsewhere, { mode: 0o700 });
    mkdirSync(join(world.home, ".config"));
    symlinkSync(elsewhere, world.files.root);
    world.grow(id, 1_000);
    await world.hook(id, "SessionEnd");
    expect(existsSync(join(elsewhere, `snapshots/${id}.state.json`))).toBe(true);
    expect(existsSync(join(elsewhere, "logs"))).toBe(false);
    expect(await world.run(["clean", "--yes"])).toMatchObject({ exitCode: 0 });
  });

  test("everything is for the user alone", async () => {
    using world = new HookWorld();
    world.grow(id, 100);
    await world.hook(id);
    for (const name of ["", ...readdirSync(world.files.root, { recursive: true }).map(String)]) {
      const stats = statSync(join(world.files.root, name));
      expect([name, (stats.mode & 0o777).toString(8)]).toEqual([name, stats.isDirectory() ? "700" : "600"]);
    }
  });
});

describe("a transcript that is no longer what it was starts a new generation, and the old one stays", () => {
  async function before(world: HookWorld): Promise<Buffer> {
    world.grow(id, 300_000);
    await world.hook(id);
    return world.read(id);
  }

  function expectBoth(world: HookWorld, old: Buffer, why: string): void {
    const state = world.files.state(id);
    expect(state).toMatchObject({ generation: 2, past: [{ generation: 1, why, size: old.length }] });
    expect(world.files.pastMirror(id, 1)).toEqual(old);
    expect(world.files.mirror(id)).toEqual(world.read(id));
    expect(state.marks.map(({ n }) => n)).toEqual([2]);
  }

  test("shrunk", async () => {
    using world = new HookWorld();
    const old = await before(world);
    const half = old.subarray(0, old.indexOf("\n", 150_000) + 1);
    truncateSync(world.transcript(id), half.length);
    await world.hook(id, "PostToolUse");
    expectBoth(world, old, "shrunk");
  });

  test("overwritten by a stub", async () => {
    using world = new HookWorld();
    const old = await before(world);
    world.overwrite(id, '{"type":"summary"}\n');
    await world.hook(id, "PostToolUse");
    expectBoth(world, old, "shrunk");
  });

  test("overwritten by something longer", async () => {
    using world = new HookWorld();
    const old = await before(world);
    world.overwrite(id, "");
    world.grow(id, 500_000, "other");
    await world.hook(id);
    expectBoth(world, old, "rewritten");
  });

  test("a line taken out, so that all that follows has moved", async () => {
    using world = new HookWorld();
    const old = await before(world);
    const text = old.toString();
    world.overwrite(id, text.slice(text.indexOf("\n") + 1) + text);
    await world.hook(id);
    expectBoth(world, old, "rewritten");
  });

  test("moved to another place", async () => {
    using world = new HookWorld();
    const old = await before(world);
    const elsewhere = join(world.home, ".claude/projects/-elsewhere");
    mkdirSync(elsewhere);
    world.grow(id, 1_000, "more");
    renameSync(world.transcript(id), join(elsewhere, `${id}.jsonl`));
    await world.hook(id, "Stop", { transcript_path: join(elsewhere, `${id}.jsonl`) });
    expect(world.files.state(id)).toMatchObject({ generation: 2, past: [{ why: "moved", size: old.length }] });
  });

  test("an edit of the same length far back is found after some marks", async () => {
    using world = new HookWorld();
    const old = await before(world);
    const edited = Buffer.from(old);
    edited.write("EDITED", 100_000);
    // In place, so that it is the same file with the same beginning and end.
    writeFileSync(world.transcript(id), edited, { flag: "r+" });
    for (let turn = 0; turn < 80 && world.files.state(id).generation === 1; turn++) {
      world.grow(id, 100, `turn-${turn}`);
      await world.hook(id);
    }
    expect(world.files.state(id)).toMatchObject({ generation: 2, past: [{ why: "rewritten" }] });
  });

  test("but a file replaced by the same content goes on, and so does one reached by another way", async () => {
    using world = new HookWorld();
    await before(world);
    copyFileSync(world.transcript(id), `${world.transcript(id)}.copy`);
    renameSync(`${world.transcript(id)}.copy`, world.transcript(id));
    world.grow(id, 1_000, "more");
    await world.hook(id);
    expect(world.files.state(id)).toMatchObject({ generation: 1, count: 2 });
    world.grow(id, 1_000, "yet more");
    await world.hook(id, "Stop", { transcript_path: join(world.project, "..", "-project", `${id}.jsonl`) });
    expect(world.files.state(id)).toMatchObject({ generation: 1, count: 3 });
    expect(world.files.mirror(id)).toEqual(world.read(id));
  });
});

describe("our own files damaged", () => {
  test.each([
    ["a state that is no JSON", "{torn"],
    ["a state of another version", '{"version":99}'],
    ["an empty state", ""],
  ])("%s: the copy is kept as a generation", async (_what, text) => {
    using world = new HookWorld();
    world.grow(id, 1_000);
    await world.hook(id);
    const old = world.files.mirror(id);
    writeFileSync(world.files.statePath(id), text);
    world.grow(id, 1_000, "more");
    await world.hook(id);
    expect(world.files.state(id)).toMatchObject({
      past: [{ generation: 1, why: "unreadable-state", size: old.length }],
    });
    expect(world.files.pastMirror(id, 1)).toEqual(old);
    expect(world.files.mirror(id)).toEqual(world.read(id));
    const [restorable] = JSON.parse((await world.run(["list", id, "--json"])).stdout).marks;
    expect(await world.run(["restore", id, "--to", String(restorable.n)])).toMatchObject({ exitCode: 0 });
    expect(world.read(id)).toEqual(old);
  });

  test("past generations are found again when the state is lost, and the place when the transcript is gone too", async () => {
    using world = new HookWorld();
    world.grow(id, 5_000);
    await world.hook(id);
    const first = world.read(id);
    world.overwrite(id, '{"type":"summary"}\n');
    await world.hook(id);
    const second = world.read(id);
    writeFileSync(world.files.statePath(id), "garbage");
    rmSync(world.transcript(id));
    const { stdout } = await world.run(["restore", id, "--to", "1", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ restored: true, target: world.transcript(id) });
    expect(world.read(id)).toEqual(first);
    const listed = JSON.parse((await world.run(["list", id, "--json"])).stdout);
    const recovered = listed.marks.find((mark: { reason: string }) => mark.reason === "recovered");
    expect(await world.run(["restore", id, "--to", String(recovered.n)])).toMatchObject({ exitCode: 0 });
    expect(world.read(id)).toEqual(second);
  });

  test("a past generation whose record cannot be read is shown, not hidden", async () => {
    using world = new HookWorld();
    world.grow(id, 5_000);
    await world.hook(id);
    world.overwrite(id, '{"type":"summary"}\n');
    await world.hook(id);
    writeFileSync(join(world.files.root, `snapshots/generations/${id}.1.state.json`), "garbage");
    const [session] = JSON.parse((await world.run(["status", "--json"])).stdout).sessions;
    expect(session.generations).toBe(2);
    expect(session.warnings[0]).toMatch(
      /^the record of generation 1 cannot be read; its bytes may be in .*\.1\.jsonl$/,
    );
  });

  test("a state and mirror put back from an old backup do not overwrite the generations made since", async () => {
    using world = new HookWorld();
    world.grow(id, 5_000);
    await world.hook(id);
    const saved = [world.files.mirrorPath(id), world.files.statePath(id)].map(
      (path) => [path, readFileSync(path)] as const,
    );
    world.overwrite(id, '{"type":"summary"}\n');
    await world.hook(id);
    for (const [path, content] of saved) writeFileSync(path, content);
    world.overwrite(id, '{"type":"another"}\n');
    await world.hook(id);
    expect(world.files.state(id).past.map(({ generation }) => generation)).toEqual([2]);
    expect(world.files.pastMirror(id, 1)).toEqual(world.files.pastMirror(id, 2));
    expect(world.files.mirror(id)).toEqual(world.read(id));
  });

  test("a state with any inode number that a file system may give is read back", async () => {
    using world = new HookWorld();
    world.grow(id, 1_000);
    await world.hook(id);
    const state = { ...world.files.state(id), file: "18446744073709551615:18446744073709551615" };
    writeFileSync(world.files.statePath(id), JSON.stringify(state));
    world.grow(id, 1_000, "more");
    await world.hook(id);
    expect(world.files.state(id)).toMatchObject({ generation: 1, count: 2 });
    expect(world.files.state(id).file).toMatch(/^\d+:\d+$/);
  });

  test("a mirror that lost its end, or is gone, is set aside and made anew", async () => {
    using world = new HookWorld();
    world.grow(id, 10_000);
    await world.hook(id);
    truncateSync(world.files.mirrorPath(id), 5_000);
    world.grow(id, 1_000, "more");
    await world.hook(id);
    expect(world.files.state(id)).toMatchObject({ generation: 2, past: [{ why: "damaged" }] });
    expect(world.files.mirror(id)).toEqual(world.read(id));
    rmSync(world.files.mirrorPath(id));
    await world.hook(id);
    world.grow(id, 1_000, "again");
    await world.hook(id);
    expect(world.files.mirror(id)).toEqual(world.read(id));
  });

  test("bytes beyond the acknowledged ones, as a kill leaves them, are not taken for a copy", async () => {
    using world = new HookWorld();
    world.grow(id, 1_000);
    await world.hook(id);
    writeFileSync(world.files.mirrorPath(id), "\0".repeat(5_000), { flag: "a" });
    world.grow(id, 1_000, "more");
    await world.hook(id);
    expect(world.files.state(id)).toMatchObject({ generation: 1, count: 2 });
    expect(world.files.mirror(id)).toEqual(world.read(id));
  });
});

describe("many at once", () => {
  test("twenty hooks of one session leave one consistent state", async () => {
    using world = new HookWorld();
    world.grow(id, 300_000);
    const events = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? "PostToolUse" : "Stop"));
    await Promise.all(events.map((event) => world.hook(id, event)));
    world.grow(id, 100_000, "more");
    await Promise.all(events.map((event) => world.hook(id, event)));
    const state = world.files.state(id);
    expect(state).toMatchObject({ generation: 1, count: 2, size: world.read(id).length });
    expect(world.files.mirror(id)).toEqual(world.read(id));
    expect(await world.run(["restore", id, "--dry-run"])).toMatchObject({ exitCode: 0 });
    expect(readdirSync(join(world.files.root, "snapshots")).filter((name) => name.includes("tmp"))).toEqual([]);
  });

  test("two sessions never touch each other's data", async () => {
    using world = new HookWorld();
    const ids = ["session-one", "session-two"] as const;
    for (let turn = 1; turn <= 5; turn++) {
      for (const each of ids) world.grow(each, 20_000, `${each} ${turn}`);
      await Promise.all(ids.map((each) => world.hook(each)));
    }
    for (const each of ids) {
      expect(world.files.state(each)).toMatchObject({ generation: 1, count: 5 });
      expect(world.files.mirror(each)).toEqual(world.read(each));
    }
    expect(ids).toContain(world.files.latest().sessionId as (typeof ids)[number]);
  });
});

describe("nothing that comes in disturbs Claude, and nothing gets out of our directory", () => {
  test.each([
    ["empty", ""],
    ["no JSON", "{broken"],
    ["another shape", '[{"session_id":"x"}]'],
    ["binary", "\0\u0001\uFFFF"],
  ])("stdin: %s", async (_what, stdin) => {
    using world = new HookWorld();
    await world.hookWith(stdin);
    expect(world.log()).toMatch(/^\S+ no hook payload on stdin \(text\)\n$/);
  });

  test.each(["../x", "../../../../tmp/x", "a/b", "a\0b", "x".repeat(10_000), ".", "..", "-rf"])(
    "session id %j",
    async (hostile) => {
      using world = new HookWorld();
      world.grow(id, 1_000);
      await world.hookWith(
        JSON.stringify({ session_id: hostile, hook_event_name: "Stop", transcript_path: world.transcript(id) }),
      );
      expect(world.log()).toMatch(/refused a session id/);
      expect(readdirSync(world.files.root)).toEqual(["logs"]);
    },
  );

  test("stdin that never ends", async () => {
    using world = new HookWorld();
    const child = Bun.spawn([executable, "session-snapshot", "hook"], {
      env: world.env,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    child.stdin.write('{"session_id":');
    await child.stdin.flush();
    expect([await child.exited, await child.stdout.text(), await child.stderr.text()]).toEqual([0, "", ""]);
    expect(world.log()).toMatch(/no hook payload on stdin \(timeout\)/);
  });

  test.skipIf(process.getuid?.() !== 0 && process.platform === "win32")(
    "a directory where we may not write",
    async () => {
      using world = new HookWorld();
      world.grow(id, 1_000);
      await world.hook(id);
      const before = world.files.state(id);
      // A file where our directory would be: root, too, cannot write below it.
      rmSync(join(world.files.root, "locks"), { recursive: true });
      writeFileSync(join(world.files.root, "locks"), "");
      world.grow(id, 1_000, "more");
      await world.hook(id);
      expect(world.files.state(id)).toEqual(before);
      expect(world.log()).toMatch(/cannot make directory .*locks: a file has that name/);
    },
  );

  test("a transcript that is a directory, gone, or unreadable", async () => {
    using world = new HookWorld();
    await world.hook(id);
    mkdirSync(world.transcript("directory"));
    await world.hook("directory");
    world.grow("unreadable", 1_000);
    chmodSync(world.transcript("unreadable"), 0);
    await world.hook("unreadable");
    await world.hook("pipe", "Stop", { transcript_path: "/dev/zero" });
  });

  test("a link at the place of our directory is refused", async () => {
    using world = new HookWorld();
    const elsewhere = join(world.home, "elsewhere");
    mkdirSync(elsewhere);
    mkdirSync(world.files.root, { recursive: true, mode: 0o700 });
    rmSync(join(world.files.root, "snapshots"), { recursive: true, force: true });
    symlinkSync(elsewhere, join(world.files.root, "snapshots"));
    world.grow(id, 1_000);
    await world.hook(id);
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(world.log()).toMatch(/it is a symbolic link/);
  });
});

test("with SESSION_SNAPSHOT_DEBUG=1 the log says what each call did, and status calls none of it a problem", async () => {
  using world = new HookWorld();
  world.env["SESSION_SNAPSHOT_DEBUG"] = "1";
  world.grow(id, 1_000);
  await world.hook(id, "PostToolUse");
  await world.hook(id);
  const size = world.read(id).length;
  expect(
    world
      .log()
      .split("\n")
      .map((line) => line.split(" ").slice(1).join(" ")),
  ).toEqual([
    `debug: PostToolUse ${id}: not due, ${size} bytes with 0 kept`,
    `debug: Stop ${id}: mark 1 at ${size} bytes`,
    "",
  ]);
  expect(JSON.parse((await world.run(["status", "--json"])).stdout).problems).toEqual([]);
});

describe("without transcript_path", () => {
  const without = (sessionId: string): string => JSON.stringify({ session_id: sessionId, hook_event_name: "Stop" });
  const cache = (world: HookWorld): Record<string, string> =>
    JSON.parse(readFileSync(join(world.files.root, "path-cache.json"), "utf8"));

  test("the projects are searched, and the place is remembered", async () => {
    using world = new HookWorld();
    world.grow(id, 1_000);
    await world.hookWith(without(id));
    expect(world.files.mirror(id)).toEqual(world.read(id));
    expect(cache(world)).toEqual({ [id]: world.transcript(id) });
  });

  test("CLAUDE_CONFIG_DIR is where they are", async () => {
    using world = new HookWorld();
    world.env["CLAUDE_CONFIG_DIR"] = join(world.home, "other-config");
    const project = join(world.home, "other-config/projects/-p");
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, `${id}.jsonl`), '{"a":1}\n');
    await world.hookWith(without(id));
    expect(world.files.mirror(id).toString()).toBe('{"a":1}\n');
  });

  test("at most fifty places are remembered, stale ones are dropped, a broken cache is replaced", async () => {
    using world = new HookWorld();
    mkdirSync(world.files.root, { recursive: true });
    writeFileSync(join(world.files.root, "path-cache.json"), "{broken");
    for (let number = 0; number < 52; number++) {
      world.grow(`session-${number}`, 100);
      await world.hookWith(without(`session-${number}`));
    }
    expect(Object.keys(cache(world))).toHaveLength(50);
    expect(cache(world)).not.toHaveProperty("session-0");
    rmSync(world.transcript("session-51"));
    await world.hookWith(without("session-51"));
    expect(cache(world)).not.toHaveProperty("session-51");
  });
});

describe("canary", () => {
  const standstill = async (world: HookWorld, calls: number): Promise<void> => {
    const old = new Date(Date.now() - 600_000);
    utimesSync(world.transcript(id), old, old);
    for (let call = 0; call < calls; call++) await world.hook(id, "PostToolUse", { duration_ms: 10 });
  };
  const warnings = async (world: HookWorld): Promise<string[]> =>
    JSON.parse((await world.run(["status", "--json"])).stdout).sessions[0].warnings;

  test("tools fire but the transcript does not grow: status says so, until it grows", async () => {
    using world = new HookWorld();
    world.grow(id, 1_000);
    await world.hook(id);
    await standstill(world, 2);
    expect(await warnings(world)).toEqual([]);
    await standstill(world, 1);
    expect(await warnings(world)).toEqual([
      "tools ran 3 times but the transcript does not grow: Claude may not be saving it",
    ]);
    world.grow(id, 100, "more");
    expect(await warnings(world)).toEqual([]);
  });

  test("a session that Claude does not save at all is named among the problems", async () => {
    using world = new HookWorld();
    for (let call = 0; call < 5; call++) await world.hook("unsaved", "PostToolUse");
    const { problems } = JSON.parse((await world.run(["status", "--json"])).stdout);
    expect(problems).toEqual([
      "session unsaved: tools ran 3 times but the transcript does not grow: Claude may not be saving it",
    ]);
  });

  test("one long tool call is no alarm", async () => {
    using world = new HookWorld();
    world.grow(id, 1_000);
    await world.hook(id);
    const old = new Date(Date.now() - 600_000);
    utimesSync(world.transcript(id), old, old);
    for (let call = 0; call < 5; call++) await world.hook(id, "PostToolUse", { duration_ms: 599_000 });
    expect(existsSync(join(world.files.root, "canary"))).toBe(false);
  });
});
