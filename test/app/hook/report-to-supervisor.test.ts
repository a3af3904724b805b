// What the hooks report to the cclaude that supervises this claude.
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readSessionEvents } from "../../../src/store/cclaude/session-events.ts";
import { readTurnEvents } from "../../../src/store/cclaude/turn-events.ts";
import { HookWorld } from "../../support/worlds/hook-world.ts";

function watchedWorld(): { world: HookWorld; run: string } {
  const world = new HookWorld();
  const run = join(world.home, "run");
  mkdirSync(run);
  world.env["CCLAUDE_RUN"] = run;
  world.env["CLAUDE_PID"] = "4711";
  return { world, run };
}

test("reports the session, the kind of a failure and the reason of an end, but no conversation text", async () => {
  const { world, run } = watchedWorld();
  using _ = world;
  world.grow("s1", 1_000);
  await world.hook("s1", "PostToolUse", { cwd: "/p", tool_input: { command: "secret" } });
  await world.hook("s1", "StopFailure", { error: "rate_limit", last_assistant_message: "secret" });
  await world.hook("s1", "SessionEnd", { reason: "other" });
  const found = readSessionEvents(run).map(({ kind, sessionId, claudePid, detail }) => [
    kind,
    sessionId,
    claudePid,
    detail,
  ]);
  expect(found).toEqual([
    ["session", "s1", 4711, null],
    ["failure", "s1", 4711, "rate_limit"],
    ["end", "s1", 4711, "other"],
  ]);
  for (const name of readdirSync(run)) expect(readFileSync(join(run, name), "utf8")).not.toContain("secret");
});

test("reports the start of a session and the end of a turn with the pid, for the host", async () => {
  const { world, run } = watchedWorld();
  using _ = world;
  world.grow("s1", 1_000);
  await world.hook("s1", "SessionStart", { source: "resume" });
  expect(readTurnEvents(run)).toMatchObject([{ kind: "session-started", claudePid: 4711 }]);
  await world.hook("s1", "PostToolUse");
  await world.hook("s1", "Stop", { agent_id: "a" });
  expect(readTurnEvents(run)).toMatchObject([{ kind: "session-started", claudePid: 4711 }]);
  await world.hook("s1", "Stop");
  expect(readTurnEvents(run)).toMatchObject([{ kind: "turn-ended", claudePid: 4711 }]);
});

test("takes the snapshot although the report cannot be written", async () => {
  const { world, run } = watchedWorld();
  using _ = world;
  for (const kind of ["turn", "session"]) mkdirSync(join(run, `${kind}.4711.json`));
  world.grow("s1", 1_000);
  await world.hook("s1", "Stop");
  expect(world.files.state("s1").size).toBe(world.read("s1").length);
});

test("does not report a start, a subagent's end, or a reason that is a sentence", async () => {
  const { world, run } = watchedWorld();
  using _ = world;
  world.grow("s1", 1_000);
  await world.hook("s1", "SessionStart", { source: "resume" });
  await world.hook("s1", "StopFailure", { error: "rate_limit", agent_id: "a" });
  expect(readSessionEvents(run)).toEqual([]);
  await world.hook("s1", "SessionEnd", { reason: "An unexpected sentence" });
  expect(readSessionEvents(run)).toMatchObject([{ kind: "end", detail: null }]);
});

test("tells a nested claude apart by its pid", async () => {
  const { world, run } = watchedWorld();
  using _ = world;
  world.grow("outer", 1_000);
  world.grow("inner", 1_000);
  await world.hook("outer", "Stop");
  world.env["CLAUDE_PID"] = "4712";
  await world.hook("inner", "SessionEnd", { reason: "other" });
  expect(readSessionEvents(run).filter(({ claudePid }) => claudePid === 4711)).toMatchObject([{ sessionId: "outer" }]);
});

test("ignores a run directory that no longer exists", async () => {
  const { world } = watchedWorld();
  using _ = world;
  world.env["CCLAUDE_RUN"] = join(world.home, "gone");
  world.grow("s1", 1_000);
  await world.hook("s1", "SessionEnd", { reason: "other" });
  expect(readdirSync(world.home)).not.toContain("gone");
});
