import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { ageSnapshot } from "../../support/worlds/age-snapshot.ts";
import { SearchWorld } from "../../support/worlds/search-world.ts";
import { isPacked } from "../../support/worlds/maintenance.ts";

setDefaultTimeout(120_000);

let world: SearchWorld;
beforeEach(() => (world = new SearchWorld()));
afterEach(() => world[Symbol.dispose]());

const id = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";

test("finds prompts, answers, commands with their exit status, results and errors, each with its conversation", async () => {
  world.say(id, [
    { user: "Why does the zebra queue stall?" },
    { claude: "The giraffe worker holds the lock." },
    { command: "make giraffe-check", output: "lock is held by okapi", exit: 3 },
  ]);
  const found = async (word: string): Promise<object | undefined> => (await world.search(word))[0];
  const title = "Why does the zebra queue stall?";
  expect(await found("zebra")).toMatchObject({
    session: id,
    title,
    project: "/work/shop",
    role: "user",
    kind: "prompt",
  });
  expect(await found("giraffe worker")).toMatchObject({ role: "claude", kind: "answer", place: "present" });
  const call = { tool: "Bash", outcome: "failed", exitStatus: 3 };
  expect(await found("giraffe-check")).toMatchObject({ role: "tool", kind: "call", ...call });
  expect(await found("okapi")).toMatchObject({ role: "tool", kind: "result", ...call });
  expect(await found("okapi")).toMatchObject({ resume: `cclaude --resume ${id}` });
});

test("on a terminal or in a pipe, a result shows title, project, when, snippet and the command to continue", async () => {
  world.say(id, [{ user: "Fix the zebra queue" }, { claude: "The zebra queue works" }], { ago: 3 });
  const { stdout, exitCode } = await world.run(["search", "queue", "works"]);
  expect(exitCode).toBe(0);
  const [title, where, snippet, resume, view] = stdout.split("\n");
  expect(title).toBe("Fix the zebra queue");
  expect(where).toMatch(/^\/work\/shop · \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(3d ago\) · Claude$/);
  expect(snippet).toBe("  The zebra queue works");
  expect(resume).toBe(`  → cclaude --resume ${id}`);
  const shown = await world.run(`${view?.trim().replace(/^session-snapshot /, "")} --plain`.split(" "));
  expect([shown.exitCode, shown.stderr]).toEqual([0, ""]);
  expect(shown.stdout).toContain("The zebra queue works");
});

test("finds what a compaction, a restore and a deletion took away, plain and packed", async () => {
  world.say(id, [{ user: "begin" }, { claude: "the aardvark plan" }]);
  await world.hook(id);
  world.say(id, [{ compacted: "a summary" }, { claude: "the buffalo plan" }]);
  await world.hook(id);
  expect(await world.search("aardvark")).toMatchObject([{ place: "present" }]);
  expect((await world.run(["restore", id, "--to", "1"])).exitCode).toBe(0);
  const [away] = await world.search("buffalo");
  expect(away).toMatchObject({ place: "generation", generation: 1, resume: `session-snapshot restore ${id} --to 2` });
  expect((await world.run(["view", id, "--around", away?.entry ?? "", "--plain"])).stdout).toContain(
    "the buffalo plan",
  );

  rmSync(world.transcript(id));
  expect(await world.search("aardvark")).toMatchObject([
    { place: "deleted", resume: `session-snapshot restore ${id}` },
  ]);
  world.say(other, [{ user: "newer" }]);
  await world.hook(other);
  ageSnapshot(world.files.root, id, 20);
  await world.run(["maintain"]);
  expect(isPacked(world, id)).toBe(true);
  expect(await world.search("aardvark")).toMatchObject([{ place: "deleted", title: "begin" }]);
  expect(await world.search("buffalo")).toMatchObject([{ place: "generation" }]);
});

test("finds what subagents said and what large results hold, also after Claude deleted them", async () => {
  world.say(id, [{ user: "begin" }]);
  const said = {
    type: "assistant",
    uuid: "a",
    isSidechain: true,
    message: { content: [{ type: "text", text: "a walrus" }] },
  };
  world.sideFile(id, "subagents/agent-1.jsonl", `${JSON.stringify(said)}\n`);
  world.sideFile(id, "tool-results/t.txt", `${"filler ".repeat(5_000)}\nthe narwhal line\n`);
  await world.hook(id);
  const places = async (): Promise<string[]> =>
    [...(await world.search("walrus")), ...(await world.search("narwhal line"))].map(({ place }) => place);
  expect(await places()).toEqual(["subagent", "tool-result"]);
  rmSync(world.transcript(id));
  rmSync(join(world.project, id), { recursive: true });
  expect(await places()).toEqual(["subagent", "tool-result"]);
});

test("indexes only what is new, and everything again after the transcript was rewritten", async () => {
  world.say(id, [{ user: "the first lemur" }]);
  expect(await world.search("lemur")).toHaveLength(1);
  world.say(id, [{ claude: "the second lemur" }]);
  expect(await world.search("lemur")).toHaveLength(2);
  world.overwrite(id, "");
  world.forget(id);
  world.say(id, [{ user: "the third lemur" }]);
  expect((await world.search("lemur")).map(({ snippet }) => snippet)).toEqual(["the third lemur"]);
});

describe("narrows the search", () => {
  beforeEach(() => {
    world.say(id, [{ user: "old heron" }], { ago: 40 });
    world.say(other, [{ user: "a heron" }, { claude: "the heron" }, { command: "echo heron", output: "heron" }]);
  });
  const cases: [title: string, words: string[], count: number][] = [
    ["by nothing", [], 5],
    ["by age", ["--since", "30d"], 4],
    ["by role", ["--role", "tool"], 2],
    ["by session", ["--session", id.slice(0, 8)], 1],
    ["by the directory's name", ["--project", "proj"], 5],
    ["by another directory", ["--project", "."], 0],
    ["by number", ["--limit", "1"], 1],
    ["by an excluded word", ["-old"], 4],
    ["by a phrase", ['"the heron"'], 1],
  ];
  // Three results of one session are enough, unless it is asked for.
  const shown = (count: number): number => (count === 5 ? 4 : count === 4 ? 3 : count);
  test.each(cases)("%s", async (_title, words, count) => {
    expect(await world.search("heron", ...words)).toHaveLength(shown(count));
  });
});

test("Claude finds its own conversation as `this`", async () => {
  world.say(id, [{ user: "the ibis" }], { ago: 2 });
  world.say(other, [{ user: "another ibis" }]);
  world.env["CLAUDE_CODE_SESSION_ID"] = id;
  expect((await world.search("ibis", "--session", "this")).map(({ session }) => session)).toEqual([id]);
  expect((await world.run(["view", "this", "--plain"])).stdout).toContain("the ibis");
});

test("masks what looks like a key, in results and titles", async () => {
  const key = `sk-ant-${"a1b2c3d4".repeat(4)}`;
  world.say(id, [{ user: `the quokka key is ${key}, keep it` }]);
  const { stdout } = await world.run(["search", "quokka"]);
  expect(stdout).toContain("[masked]");
  expect(stdout).not.toContain(key);
  expect(JSON.stringify(await world.search("quokka", "key"))).not.toContain(key);
  expect(JSON.stringify(await world.search(key))).not.toContain(key);
});

test("without a message that has all words, shows those with some and says so", async () => {
  world.say(id, [{ user: "the puffin" }]);
  const { stdout, stderr, exitCode } = await world.run(["search", "puffin", "nonsense"]);
  expect([exitCode, stdout.includes("the puffin")]).toEqual([0, true]);
  expect(stderr).toContain("No message has all the words");
  expect((await world.run(["search", "nonsense"])).exitCode).toBe(4);
});

test("control characters of a transcript reach neither the terminal nor a pipe", async () => {
  world.say(id, [{ user: "red \u001b[31mtapir\u001b[0m \u0007\u202e bell" }]);
  const { stdout } = await world.run(["search", "tapir"]);
  // oxlint-disable-next-line no-control-regex
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  expect(stdout).toContain("red tapir bell");
});

test("view --from and --to show the turns between two points", async () => {
  for (const turn of [1, 2, 3, 4]) world.say(id, [{ user: `question ${turn}` }, { claude: `answer ${turn}` }]);
  await world.hook(id);
  const { stdout, stderr } = await world.run(["view", id, "--from", "t1", "--to", "t3", "--plain"]);
  expect(stderr).toBe("");
  expect([1, 2, 3, 4].map((turn) => stdout.includes(`answer ${turn}`))).toEqual([false, true, true, false]);
});
