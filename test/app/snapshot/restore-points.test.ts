import { describe, expect, test } from "bun:test";
import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { HookWorld } from "../../support/worlds/hook-world.ts";

const id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";

/** Writes a conversation record by record, as Claude does. */
class Conversation {
  readonly #world: HookWorld;
  #count = 0;

  constructor(world: HookWorld) {
    this.#world = world;
  }

  get size(): number {
    return this.#world.read(id).length;
  }

  prompt(content: string): void {
    this.#add({ type: "user", message: { role: "user", content } });
  }

  call(name: string, tokens: number): void {
    const block = { type: "tool_use", id: name, name: "Bash", input: { command: `run ${name}` } };
    this.#add({ type: "assistant", message: { id: `m-${name}`, content: [block], usage: { input_tokens: tokens } } });
  }

  result(name: string): void {
    const block = { type: "tool_result", tool_use_id: name, content: "x".repeat(1_000) };
    this.#add({ type: "user", message: { role: "user", content: [block] } });
  }

  answer(text: string, tokens: number): void {
    const content = [{ type: "text", text }];
    this.#add({ type: "assistant", message: { id: `m-${text}`, content, usage: { input_tokens: tokens } } });
  }

  refuse(tokens: number, maximum: number): void {
    this.#add({
      type: "assistant",
      isApiErrorMessage: true,
      errorDetails: `prompt is too long: ${tokens} tokens > ${maximum} maximum`,
      message: { model: "<synthetic>", content: [{ type: "text", text: "Prompt is too long" }] },
    });
  }

  #add(fields: object): void {
    const n = this.#count++;
    const parentUuid = n === 0 ? null : `u${n - 1}`;
    const record = { parentUuid, uuid: `u${n}`, sessionId: id, timestamp: "2026-11-17T10:00:00.000Z", ...fields };
    appendFileSync(this.#world.transcript(id), `${JSON.stringify(record)}\n`);
  }
}

/** Two turns; the second has two steps and is refused. Marks are only at the end of the first turn and at the end. */
async function outgrown(world: HookWorld): Promise<{ turn: number; step: number; end: number }> {
  const conversation = new Conversation(world);
  conversation.prompt("one");
  conversation.answer("first answer", 90_000);
  await world.hook(id);
  const turn = conversation.size;
  conversation.prompt("two");
  conversation.call("a", 91_000);
  conversation.result("a");
  const step = conversation.size;
  conversation.call("b", 96_000);
  conversation.result("b");
  conversation.refuse(130_000, 100_000);
  await world.hook(id);
  return { turn, step, end: conversation.size };
}

interface Restored {
  mark: { n: number } | null;
  point: { size: number; turn: number | null; contextTokens: number | null };
  after: { prompt?: string; commands: { command: string }[] } | null;
}

const restore = async (world: HookWorld, ...words: string[]): Promise<Restored> => {
  const { exitCode, stdout, stderr } = await world.run(["restore", id, ...words, "--json"]);
  expect([exitCode, stderr]).toEqual([0, stderr]);
  return JSON.parse(stdout) as Restored;
};

/** A conversation with a mark in the middle of its second tool call; `step`: its size before that call. */
async function markedInCall(world: HookWorld): Promise<{ conversation: Conversation; step: number }> {
  const conversation = new Conversation(world);
  conversation.prompt("one");
  conversation.call("a", 1_000);
  conversation.result("a");
  const step = conversation.size;
  conversation.call("b", 2_000);
  await world.hook(id);
  return { conversation, step };
}

describe("restore --to fit", () => {
  test("uses the maximum that the API named, and falls back to the newest point that fits", async () => {
    using world = new HookWorld();
    const { turn } = await outgrown(world);
    const planned = await restore(world, "--to", "fit", "--dry-run");
    const done = await restore(world, "--to", "fit");
    // Nothing leaves half of 100,000 tokens free; 96,000 leave no room for an answer.
    expect(done).toMatchObject({ point: { size: turn, turn: 1, contextTokens: 90_000 } });
    expect(planned.point).toEqual(done.point);
    expect(world.read(id)).toHaveLength(turn);
  });

  test("cuts at a step without a mark, also where the transcript is not copied yet", async () => {
    using world = new HookWorld();
    const { conversation, step } = await markedInCall(world);
    conversation.result("b");
    conversation.call("c", 190_000);
    conversation.result("c");
    const whole = world.read(id);
    const done = await restore(world, "--to", "fit");
    expect(done.mark).toBeNull();
    expect(done.point.contextTokens).toBe(2_000);
    expect(done.point.size).toBe(step);
    expect(done.after?.commands.map(({ command }) => command)).toEqual(["run b", "run c"]);
    expect((await world.run(["verify", id])).exitCode).toBe(0);
    expect((await world.run(["undo", id])).exitCode).toBe(0);
    expect(world.read(id)).toEqual(whole);
  });

  test("uses the window that the status line named", async () => {
    using world = new HookWorld();
    const conversation = new Conversation(world);
    conversation.prompt("one");
    conversation.answer("first", 40_000);
    const turn = conversation.size;
    conversation.prompt("two");
    conversation.answer("second", 90_000);
    await world.hook(id);
    expect((await restore(world, "--to", "fit", "--dry-run")).point.turn).toBe(2);
    const status = { session_id: id, context_window: { context_window_size: 100_000, used_percentage: 90 } };
    const { exitCode } = await world.aiRuntime(["statusline"], JSON.stringify(status));
    expect(exitCode).toBe(0);
    expect((await restore(world, "--to", "fit")).point).toMatchObject({ size: turn, turn: 1 });
  });

  test("names the window when nothing fits", async () => {
    using world = new HookWorld();
    const conversation = new Conversation(world);
    conversation.prompt("one");
    conversation.call("a", 5_000);
    conversation.result("a");
    conversation.refuse(9_000, 4_000);
    await world.hook(id);
    const { exitCode, stderr } = await world.run(["restore", id, "--to", "fit"]);
    expect(exitCode).toBe(4);
    expect(stderr).toContain("no point of it fits into the context window of 4000 tokens");
  });
});

describe("restore --to t1", () => {
  test("restores the end of a turn", async () => {
    using world = new HookWorld();
    const { turn } = await outgrown(world);
    expect(await restore(world, "--to", "t1")).toMatchObject({
      point: { size: turn, turn: 1 },
      after: { prompt: "two" },
    });
    expect(world.read(id)).toHaveLength(turn);
  });

  test("refuses a turn that does not exist", async () => {
    using world = new HookWorld();
    await outgrown(world);
    const { exitCode, stderr } = await world.run(["restore", id, "--to", "t7"]);
    expect([exitCode, stderr.includes("it has no turn 7; its last one is 2")]).toEqual([4, true]);
  });
});

test("a restore to a mark in the middle of a tool call ends with the last complete step", async () => {
  using world = new HookWorld();
  const { conversation, step } = await markedInCall(world);
  const marked = conversation.size;
  // While it is the end of the conversation, the call may still get its result.
  expect(await restore(world, "--to", "1")).toMatchObject({ point: { size: marked } });
  conversation.result("b");
  conversation.answer("done", 3_000);
  await world.hook(id);
  const { stderr } = await world.run(["restore", id, "--to", "1"]);
  expect(stderr).toContain("The mark is in the middle of a tool call");
  expect(world.read(id)).toHaveLength(step);
});

describe("the next SessionStart after a restore by hand", () => {
  const start = (world: HookWorld, source = "resume") =>
    world.run(["hook"], world.payload(id, "SessionStart", { source }));

  test("tells Claude what came after, until Claude has answered", async () => {
    using world = new HookWorld();
    await outgrown(world);
    await restore(world, "--to", "fit");
    const told = await start(world);
    const { additionalContext } = JSON.parse(told.stdout).hookSpecificOutput as { additionalContext: string };
    expect(additionalContext).toContain("[AI-RUNTIME CONTEXT RESTORED]\nThe user put this conversation back");
    expect(additionalContext).toContain("> two");
    expect(additionalContext).toContain("- run b (succeeded)");
    expect((await start(world, "startup")).stdout).toBe("");
    // The user has left without a prompt: it is told again.
    expect((await start(world)).stdout).toBe(told.stdout);
    new Conversation(world).answer("I know", 1_000);
    expect((await start(world)).stdout).toBe("");
  });

  test("tells everything after two restores, and nothing after an undo", async () => {
    using world = new HookWorld();
    const conversation = new Conversation(world);
    for (const name of ["one", "two", "three"]) {
      conversation.prompt(`prompt ${name}`);
      conversation.call(name, 1_000);
      conversation.result(name);
      conversation.answer(`answer ${name}`, 1_100);
    }
    await world.hook(id);
    await restore(world, "--to", "t2");
    const { after } = await restore(world, "--to", "t1");
    expect(after).toMatchObject({
      prompt: "prompt three",
      commands: [{ command: "run two" }, { command: "run three" }],
    });
    expect((await start(world)).stdout).toContain("run three");
    await world.run(["undo", id]);
    expect((await start(world)).stdout).not.toContain("run two");
    await world.run(["undo", id]);
    expect((await start(world)).stdout).toBe("");
    expect(existsSync(join(world.files.root, "restored", `${id}.json`))).toBe(false);
  });
});
