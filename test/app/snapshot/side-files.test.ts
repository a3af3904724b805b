import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { HookWorld } from "../../support/worlds/hook-world.ts";

const id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";
const line = (text: string): string => `${JSON.stringify({ type: "user", uuid: text, isSidechain: true, text })}\n`;
const agent = "subagents/agent-1.jsonl";
const result = "tool-results/x.txt";
const contents: Record<string, string> = {
  [agent]: line("one") + line("two") + line("three"),
  [result]: "the whole result\n".repeat(10),
};

class SideWorld extends HookWorld {
  path(name: string): string {
    return join(this.project, id, name);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  text(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }

  /** The newest copy and its generations, newest first. */
  copy(name: string, generation = ""): string {
    return readFileSync(join(this.files.root, "snapshots/side-files", id, `${name}${generation}`), "utf8");
  }

  async begin(): Promise<void> {
    this.overwrite(
      id,
      `${JSON.stringify({ type: "user", uuid: "u", parentUuid: null, message: { content: "hi" } })}\n`,
    );
    for (const [name, text] of Object.entries(contents)) this.write(name, text);
    await this.hook(id);
  }

  async damage(): Promise<{ name: string; kind: string; copy: string | null }[]> {
    const { stdout } = await this.run(["verify", id, "--json"]);
    return JSON.parse(stdout).sideFiles;
  }
}

type Harm = (world: SideWorld, name: string) => void;
const empties: Harm = (world, name) => truncateSync(world.path(name), 0);
const halves: Harm = (world, name) => truncateSync(world.path(name), Math.floor((contents[name]?.length ?? 0) / 2));
const zeroes: Harm = (world, name) => world.write(name, "\0".repeat(contents[name]?.length ?? 0));
const zeroesEnd: Harm = (world, name) => world.write(name, `${contents[name]?.slice(0, 60) ?? ""}${"\0".repeat(3)}`);
const garbles: Harm = (world, name) => world.write(name, `${"\0garbage\n".repeat(3)}`);
const removes: Harm = (world, name) => rmSync(world.path(name));

const harms: [what: string, harm: Harm, kinds: [agent: string, result: string]][] = [
  ["emptied", empties, ["empty", "empty"]],
  ["cut in half", halves, ["shorter", "shorter"]],
  ["filled with NULs", zeroes, ["unreadable", "changed"]],
  ["cut, with NULs at its end", zeroesEnd, ["unreadable", "changed"]],
  ["overwritten with garbage", garbles, ["unreadable", "changed"]],
  ["removed", removes, ["missing", "missing"]],
];

describe.each(harms)("a side file that was %s", (_, harm, kinds) => {
  test.each([
    [agent, kinds[0]],
    [result, kinds[1]],
  ])("is named by verify, and comes back with repair, also after hooks have seen it: %s", async (name, kind) => {
    using world = new SideWorld();
    await world.begin();
    expect(await world.run(["verify", id])).toMatchObject({ exitCode: 0 });
    harm(world, name);
    expect(await world.damage()).toMatchObject([{ name, kind }]);
    await world.hook(id);
    world.grow(id, 1_000);
    await world.hook(id);
    expect(await world.damage()).toMatchObject([{ name, kind }]);
    const report = await world.run(["verify", id]);
    expect(report.exitCode).toBe(6);
    expect(report.stdout).toContain(`side file ${name} `);
    expect(report.stderr).toContain(`session-snapshot repair ${id}`);

    const planned = await world.run(["repair", id, "--dry-run"]);
    expect(planned).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`side file ${name} `) });
    expect(await world.damage()).toHaveLength(1);
    expect(await world.run(["repair", id])).toMatchObject({ exitCode: 0 });

    expect(world.text(name)).toBe(contents[name] ?? "");
    expect(await world.damage()).toEqual([]);
    await world.hook(id);
    expect(world.copy(name)).toBe(contents[name] ?? "");
  });

  test("comes back with restore", async () => {
    using world = new SideWorld();
    await world.begin();
    for (const name of [agent, result]) harm(world, name);
    await world.hook(id);
    const planned = JSON.parse((await world.run(["restore", id, "--dry-run", "--json"])).stdout);
    expect(planned.sideFiles).toEqual([agent, result]);
    expect((await world.run(["restore", id])).exitCode).toBe(0);
    for (const name of [agent, result]) expect(world.text(name)).toBe(contents[name] ?? "");
  });
});

test("what a repair replaces is kept as another generation", async () => {
  using world = new SideWorld();
  await world.begin();
  const damaged = `${line("one")}\0\0\0 and what was written after the damage\n`;
  world.write(agent, damaged);
  await world.run(["repair", id]);
  expect(world.text(agent)).toBe(contents[agent] ?? "");
  expect(world.copy(agent, ".before-1")).toBe(damaged);
});

test("a rewritten subagent's transcript that can be read is not damage, and its earlier generation stays", async () => {
  using world = new SideWorld();
  await world.begin();
  world.write(agent, line("another"));
  expect(await world.damage()).toEqual([]);
  await world.hook(id);
  expect(world.copy(agent)).toBe(line("another"));
  expect(world.copy(agent, ".before-1")).toBe(contents[agent] ?? "");
});

test("damage without a copy is named, and repair says that it remains", async () => {
  using world = new SideWorld();
  await world.begin();
  world.write("subagents/agent-2.jsonl", "\0\0\0\n");
  expect(await world.damage()).toMatchObject([{ name: "subagents/agent-2.jsonl", kind: "unreadable", copy: null }]);
  const repair = await world.run(["repair", id]);
  expect(repair.exitCode).toBe(3);
  expect(repair.stderr).toContain("no snapshot has it");
});

test("verify --all counts a session with a damaged side file", async () => {
  using world = new SideWorld();
  await world.begin();
  empties(world, agent);
  const { exitCode, stdout } = await world.run(["verify", "--all"]);
  expect([exitCode, stdout.trimEnd().split("\n").at(-1)]).toEqual([
    6,
    "1 transcript, 1 damaged, 1 of them can be repaired.",
  ]);
});
