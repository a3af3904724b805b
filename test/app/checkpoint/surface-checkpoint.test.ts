// Calls the built executable's hook directly: what a new session shows of the last checkpoint.
import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CheckpointWorld } from "../../support/worlds/checkpoint-world.ts";
import { holdByHost } from "../../support/worlds/hold-session.ts";

describe("a new session", () => {
  test("shows it once per session, with varying words, but not when resumed, forked, finished or stale", async () => {
    using world = new CheckpointWorld();
    const save = ["--goal", "Ship the cart", "--done", "totals", "--next", "run npm test", "--blocker", "no key"];
    await world.run("checkpoint", "save", ...save);
    const first = await world.startSession("a");
    const line = 'Last time we were doing "Ship the cart", next was run npm test — continue?';
    expect(first?.line).toBe(line);
    for (const part of ["goal: Ship the cart", "- totals", "next: run npm test", "blocker: no key", world.directory]) {
      expect(first?.context).toContain(part);
    }
    expect((await world.startSession("b"))?.context).not.toBe(first?.context);
    expect((await world.startSession("b", { source: "clear" }))?.line).toBe(line);
    expect(await world.startSession("b", { source: "resume" })).toBeUndefined();
    expect(await world.startSession("b", { source: "fork" })).toBeUndefined();

    const stale = { env: { AI_RUNTIME_CHECKPOINT_STALE_DAYS: "0" } };
    const late = await world.runWith(world.payload("c", "SessionStart", { source: "startup" }), ["hook"], stale);
    expect(late.stdout).toBe("");
    await world.run("checkpoint", "save", "--finished");
    expect(await world.startSession("d")).toBeUndefined();
  });

  test("shows a checkpoint of six days, but not of eight", async () => {
    using world = new CheckpointWorld();
    await world.run("checkpoint", "save", "--goal", "Ship the cart");
    const age = (days: number): void => {
      const time = new Date(Date.now() - days * 86_400_000).toISOString();
      for (const path of [world.files.path(world.directory), world.files.latestPath]) {
        const kept = JSON.parse(readFileSync(path, "utf8")) as { written: object };
        writeFileSync(path, JSON.stringify({ ...kept, time, written: { ...kept.written, time } }));
      }
    };
    age(6);
    expect((await world.startSession("a"))?.line).toContain("Ship the cart");
    age(8);
    expect(await world.startSession("b")).toBeUndefined();
    expect((await world.run("checkpoint", "show")).stdout).toContain("Ship");
  });

  test("gets only the context with -p, without a visible line", async () => {
    using world = new CheckpointWorld();
    await world.run("checkpoint", "save", "--goal", "Ship the cart");
    const payload = world.payload("a", "SessionStart", { source: "startup" });
    const { stdout } = await world.runWith(payload, ["hook"], { env: { CLAUDE_CODE_ENTRYPOINT: "sdk-cli" } });
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: "SessionStart",
        additionalContext: expect.stringContaining("Ship the cart"),
      },
    });
  });

  test("in another directory shows the user the newest of all, and gives Claude none of its content", async () => {
    using world = new CheckpointWorld();
    const elsewhere = join(world.home, "elsewhere");
    mkdirSync(elsewhere);
    await world.prompt("s", "Round the totals");
    await world.tool("s", "Write", { file_path: "/a" });
    const line = `Last time we were doing "Round the totals" in ${world.directory} — continue?`;
    const other = await world.startSession("other", { directory: elsewhere });
    expect(other?.line).toBe(line);
    expect(other?.context).toContain("`ai-runtime checkpoint show --global` prints it");
    expect(other?.context).not.toContain("totals");
    expect(other?.context).not.toContain(world.directory);
    expect((await world.run("checkpoint", "show", "--global")).stdout).toContain("Round the totals");

    const start = world.payload("other", "SessionStart", { source: "startup" }, elsewhere);
    const inPrintMode = await world.runWith(start, ["hook"], { env: { CLAUDE_CODE_ENTRYPOINT: "sdk-cli" } });
    expect(inPrintMode.stdout).toBe("");
    const off = await world.runWith(start, ["hook"], { env: { AI_RUNTIME_SURFACE_OTHER_PROJECTS: "off" } });
    expect(off.stdout).toBe("");
  });

  test("in a directory to which Claude gives the same project name gets no content either", async () => {
    using world = new CheckpointWorld();
    const [one, other] = [join(world.home, "a-b"), join(world.home, "a/b")];
    for (const directory of [one, other]) mkdirSync(directory, { recursive: true });
    await world.hook("s", "UserPromptSubmit", { prompt: "Round the totals" }, one);
    await world.hook("s", "PostToolUse", { tool_name: "Write", tool_input: { file_path: "/a" } }, one);
    expect((await world.startSession("t", { directory: one }))?.context).toContain("Round the totals");
    expect((await world.startSession("t", { directory: other }))?.context).not.toContain("Round the totals");
  });

  test("after compaction gets only its own checkpoint", async () => {
    using world = new CheckpointWorld();
    await world.prompt("s", "Round the totals");
    await world.tool("s", "Write", { file_path: "/a" });
    expect(await world.startSession("other", { source: "compact" })).toBeUndefined();
    const own = await world.startSession("s", { source: "compact" });
    expect(own).toEqual({ line: undefined, context: expect.stringContaining("The conversation was compacted.") });
  });

  test("shows nothing while a host holds it", async () => {
    using world = new CheckpointWorld();
    await world.prompt("s", "Round the totals");
    await world.tool("s", "Write", { file_path: "/a" });
    expect(await world.startSession("b")).toBeDefined();
    await using other = Bun.spawn(["sleep", "600"]);
    holdByHost(world.home, "s", other.pid, other.pid);
    expect(await world.startSession("c")).toBeUndefined();
  });

  test("shows nothing while another Claude works on it", async () => {
    using world = new CheckpointWorld();
    await world.prompt("s", "Round the totals");
    await world.tool("s", "Write", { file_path: "/a" });
    mkdirSync(join(world.home, ".claude/sessions"));
    const live = { pid: process.pid, sessionId: "s", cwd: world.directory };
    writeFileSync(join(world.home, `.claude/sessions/${process.pid}.json`), JSON.stringify(live));
    expect(await world.startSession("b")).toBeUndefined();
  });
});
