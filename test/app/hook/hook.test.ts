import { describe, expect, test } from "bun:test";
import {
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
import { HookWorld } from "../../support/worlds/hook-world.ts";

const id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";

describe("a snapshot", () => {
  test("copies complete lines only", async () => {
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

  test("does not take a line separator inside a string for a line end", async () => {
    using world = new HookWorld();
    world.overwrite(id, '{"a":"\u2028\u2029\u0085"}\n');
    await world.hook(id);
    expect(world.files.state(id)).toMatchObject({ lines: 1, size: world.read(id).length });
  });

  test("after a tool call, marks start at 200 kB and repeat every 80 kB; the bytes in between are copied", async () => {
    using world = new HookWorld();
    const numbers = (): unknown => world.files.state(id).marks.map(({ n, open }) => [n, open ?? false]);
    world.grow(id, 190_000);
    await world.hook(id, "PostToolUse");
    expect(world.files.mirror(id)).toEqual(world.read(id));
    expect([world.files.state(id).count, numbers()]).toEqual([0, [[1, true]]]);
    world.grow(id, 40_000, "second");
    await world.hook(id, "PostToolUse");
    expect([world.files.state(id).count, numbers()]).toEqual([1, [[1, false]]]);
    world.grow(id, 40_000, "third");
    await world.hook(id, "PostToolUse");
    expect(world.files.mirror(id)).toEqual(world.read(id));
    expect([world.files.state(id).count, numbers()]).toEqual([
      1,
      [
        [1, false],
        [2, true],
      ],
    ]);
    world.grow(id, 45_000, "fourth");
    await world.hook(id, "PostToolUse");
    expect(numbers()).toEqual([
      [1, false],
      [2, false],
    ]);
    expect(world.files.mirror(id)).toEqual(world.read(id));
  });

  test("saves any new bytes at every event that may be the last", async () => {
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

  test("counts a subagent's tool calls, but not its end as the session's end", async () => {
    using world = new HookWorld();
    world.grow(id, 200_000);
    for (const event of ["Stop", "StopFailure", "PreCompact", "SessionEnd"]) {
      await world.hook(id, event, { agent_id: "a1" });
      expect(existsSync(world.files.statePath(id))).toBe(false);
    }
    await world.hook(id, "PostToolUse", { agent_id: "a1" });
    expect(world.files.mirror(id)).toEqual(world.read(id));
  });

  test("takes both thresholds from the settings file or the environment", async () => {
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
    expect(world.files.state("other").count).toBe(0);
    world.grow("other", 40_000, "second");
    await world.hook("other", "PostToolUse");
    expect(world.files.state("other").count).toBe(1);
  });

  test("records the facts of each mark, and carries over what the new lines do not mention", async () => {
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

  test("copies subagents' transcripts and tool results, and keeps both versions of a rewritten one", async () => {
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

  test("copies side files at the end of a turn, even when the transcript did not grow", async () => {
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

  test("records Claude's last message with the mark, even when the transcript did not grow", async () => {
    using world = new HookWorld();
    world.grow(id, 1_000);
    await world.hook(id, "PreCompact");
    await world.hook(id, "Stop", { last_assistant_message: "My last words." });
    expect(world.files.state(id).marks).toMatchObject([{ n: 1, lastMessage: "My last words." }]);
  });

  test("resolves a relative transcript path in Claude's working directory", async () => {
    using world = new HookWorld();
    world.grow(id, 1_000);
    const relative = { transcript_path: `.claude/projects/-project/${id}.jsonl`, cwd: world.home };
    await world.hook(id, "Stop", relative);
    expect(world.files.state(id).transcriptPath).toBe(world.transcript(id));
    rmSync(world.transcript(id));
    expect(await world.run(["restore", id])).toMatchObject({ exitCode: 0 });
    expect(existsSync(world.transcript(id))).toBe(true);
  });

  test("uses the documented file names, below XDG_CONFIG_HOME if it is set", async () => {
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
    // The restore makes one mark before and one after. A restore starts a generation, and so does the rewrite.
    expect(state).toMatchObject({ version: 1, generation: 3, size: world.read(id).length, count: 4 });
    expect(state.marks).toHaveLength(1);
  });

  test("ignores a relative XDG_CONFIG_HOME, so that snapshots never land in a project", async () => {
    using world = new HookWorld();
    world.env["XDG_CONFIG_HOME"] = "config";
    world.grow(id, 1_000);
    await world.hook(id);
    expect(existsSync(join(world.home, "config"))).toBe(false);
    expect(world.files.state(id).count).toBe(1);
  });

  test("accepts a symbolic link to another disk as our directory", async () => {
    using world = new HookWorld();
    const elsewhere = join(world.home, "other-disk");
    mkdirSync(elsewhere, { mode: 0o700 });
    mkdirSync(join(world.home, ".config"));
    symlinkSync(elsewhere, world.files.root);
    world.grow(id, 1_000);
    await world.hook(id, "SessionEnd");
    expect(existsSync(join(elsewhere, `snapshots/${id}.state.json`))).toBe(true);
    expect(existsSync(join(elsewhere, "logs"))).toBe(false);
    expect(await world.run(["clean", "--all", "--yes"])).toMatchObject({ exitCode: 0 });
  });

  test("gives only the user access to its files", async () => {
    using world = new HookWorld();
    world.grow(id, 100);
    await world.hook(id);
    for (const name of ["", ...readdirSync(world.files.root, { recursive: true }).map(String)]) {
      const stats = statSync(join(world.files.root, name));
      expect([name, (stats.mode & 0o777).toString(8)]).toEqual([name, stats.isDirectory() ? "700" : "600"]);
    }
  });
});

test("without SESSION_SNAPSHOT_DEBUG, successful calls are not logged", async () => {
  using world = new HookWorld();
  world.grow(id, 1_000);
  await world.hook(id);
  expect(existsSync(join(world.files.root, "logs"))).toBe(false);
});

test("with SESSION_SNAPSHOT_DEBUG=1, each call is logged, and status does not report it as a problem", async () => {
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
  ).toEqual([`debug: PostToolUse ${id}: no mark at ${size} bytes`, `debug: Stop ${id}: mark 1 at ${size} bytes`, ""]);
  expect(JSON.parse((await world.run(["status", "--json"])).stdout).problems).toEqual([]);
});
