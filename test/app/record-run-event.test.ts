// What the hooks tell a cclaude that waits for this claude's end, and nobody else.
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readRunEvents } from "../../src/store/run-events.ts";
import { HookWorld } from "../support/hook-world.ts";

setDefaultTimeout(60_000);

function watchedWorld(): { world: HookWorld; run: string } {
  const world = new HookWorld();
  const run = join(world.home, "run");
  mkdirSync(run);
  world.env["CCLAUDE_RUN"] = run;
  world.env["CLAUDE_PID"] = "4711";
  return { world, run };
}

test("the session, a failure's kind and an end's reason, and no word of the conversation", async () => {
  const { world, run } = watchedWorld();
  using _ = world;
  world.grow("s1", 1_000);
  await world.hook("s1", "PostToolUse", { cwd: "/p", tool_input: { command: "secret" } });
  await world.hook("s1", "StopFailure", { error: "rate_limit", last_assistant_message: "secret" });
  await world.hook("s1", "SessionEnd", { reason: "other" });
  const found = readRunEvents(run).map(({ kind, sessionId, claudePid, detail }) => [
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

test("a start's id, a subagent's end and a reason that is a sentence are not told", async () => {
  const { world, run } = watchedWorld();
  using _ = world;
  world.grow("s1", 1_000);
  await world.hook("s1", "SessionStart", { source: "resume" });
  await world.hook("s1", "StopFailure", { error: "rate_limit", agent_id: "a" });
  expect(readRunEvents(run)).toEqual([]);
  await world.hook("s1", "SessionEnd", { reason: "Some words that nobody expects" });
  expect(readRunEvents(run)).toMatchObject([{ kind: "end", detail: null }]);
});

test("a claude inside this one is told apart by its own number", async () => {
  const { world, run } = watchedWorld();
  using _ = world;
  world.grow("outer", 1_000);
  world.grow("inner", 1_000);
  await world.hook("outer", "Stop");
  world.env["CLAUDE_PID"] = "4712";
  await world.hook("inner", "SessionEnd", { reason: "other" });
  expect(readRunEvents(run).filter(({ claudePid }) => claudePid === 4711)).toMatchObject([{ sessionId: "outer" }]);
});

test("a directory that is gone is nobody's loss", async () => {
  const { world } = watchedWorld();
  using _ = world;
  world.env["CCLAUDE_RUN"] = join(world.home, "gone");
  world.grow("s1", 1_000);
  await world.hook("s1", "SessionEnd", { reason: "other" });
  expect(readdirSync(world.home)).not.toContain("gone");
});
