import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
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

  test("at every moment that may be the last, however small it is, when there is anything new", async () => {
    using world = new HookWorld();
    const moments = [["PreCompact"], ["Stop"], ["StopFailure"], ["SessionEnd"], ["SessionStart", "resume"]] as const;
    for (const [index, [event, source]] of moments.entries()) {
      world.grow(id, 100, event);
      await world.hook(id, event, { source });
      expect(world.files.mirror(id)).toEqual(world.read(id));
      await world.hook(id, event, { source });
      expect(world.files.state(id)).toMatchObject({ count: index + 1, size: world.read(id).length });
    }
    expect(world.files.state(id).marks.map(({ reason }) => reason)).toEqual(moments.map(([event]) => event));
    world.grow(id, 100, "more");
    await world.hook(id, "SessionStart", { source: "startup" });
    expect(world.files.state(id).count).toBe(moments.length);
  });

  test("the end of a subagent is not the session's, but its tools are", async () => {
    using world = new HookWorld();
    world.grow(id, 200_000);
    for (const event of ["Stop", "StopFailure", "PreCompact", "SessionEnd"]) {
      await world.hook(id, event, { agent_id: "a1" });
      expect(existsSync(world.files.statePath(id))).toBe(false);
    }
    await world.hook(id, "PostToolUse", { agent_id: "a1" });
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
    world.env["SESSION_SNAPSHOT_MIN_SIZE"] = "3000";
    world.grow("other", 2_000);
    await world.hook("other", "PostToolUse");
    expect(existsSync(world.files.statePath("other"))).toBe(false);
    world.grow("other", 2_000, "second");
    await world.hook("other", "PostToolUse");
    expect(world.files.state("other").count).toBe(1);
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

  test("the files have their names, below XDG_CONFIG_HOME where that is set", async () => {
    using world = new HookWorld();
    const config = join(world.home, "elsewhere");
    world.env["XDG_CONFIG_HOME"] = config;
    world.env["SESSION_SNAPSHOT_DEBUG"] = "1";
    world.grow(id, 2_000);
    await world.hookWith(JSON.stringify({ session_id: id, hook_event_name: "Stop" }));
    world.grow(id, 1_000, "second");
    expect((await world.run(["restore", id])).exitCode).toBe(0);
    world.overwrite(id, "");
    world.grow(id, 100, "rewritten");
    await world.hook(id);
    const root = join(config, "session-snapshot");
    const names = readdirSync(root, { recursive: true, encoding: "utf8" });
    expect(names).toEqual(
      expect.arrayContaining([
        `snapshots/${id}.jsonl`,
        `snapshots/${id}.state.json`,
        "snapshots/latest.json",
        `snapshots/generations/${id}.1.jsonl`,
        "path-cache.json",
        "logs/snapshot.log",
      ]),
    );
    expect(names.filter((name) => name.startsWith(`backups/${id}`))).not.toEqual([]);
    expect(existsSync(join(world.home, ".config"))).toBe(false);
    expect(JSON.parse(readFileSync(join(root, "snapshots/latest.json"), "utf8"))).toEqual({
      sessionId: id,
      snapshotPath: join(root, `snapshots/${id}.jsonl`),
      jsonlPath: world.transcript(id),
      snapshotSize: world.read(id).length,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    const state = JSON.parse(readFileSync(join(root, `snapshots/${id}.state.json`), "utf8"));
    // The restore took one before and one after: each restore begins a generation, and so does the rewriting.
    expect(state).toMatchObject({ version: 1, generation: 3, size: world.read(id).length, count: 4 });
    expect(state.marks).toHaveLength(1);
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

  test("the pointer that a kill left behind at another session is brought to the newer one, never to an older", async () => {
    using world = new HookWorld();
    const pointer = join(world.files.root, "snapshots/latest.json");
    const atTurnEnd = { last_assistant_message: "Done." };
    world.grow("older", 1_000);
    await world.hook("older");
    const behind = readFileSync(pointer);
    world.grow("newer", 1_000);
    await world.hook("newer");
    await world.hook("older", "Stop", atTurnEnd);
    expect(world.files.latest().sessionId).toBe("newer");
    writeFileSync(pointer, behind);
    await world.hook("newer", "Stop", atTurnEnd);
    expect(world.files.latest().sessionId).toBe("newer");
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

test("without SESSION_SNAPSHOT_DEBUG there is no log of what went well", async () => {
  using world = new HookWorld();
  world.grow(id, 1_000);
  await world.hook(id);
  expect(existsSync(join(world.files.root, "logs"))).toBe(false);
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
