// verify and repair as a person or a script meets them: words, exit codes, files that are no session, running sessions.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandResult, HookWorld } from "../support/hook-world.ts";
import { storedTranscript } from "../support/stored-transcript.ts";

setDefaultTimeout(60_000);

const id = "5f0c1f6e-0000-4000-8000-000000000001";
const whole = readFileSync(storedTranscript("2.1.325"));
const lines = whole.toString().split("\n");
/** Without the line that holds the first tool call's result. */
const torn = lines.with(22, lines[22]?.slice(0, 80) ?? "").join("\n");

function worldWith(content: string | Buffer): HookWorld {
  const world = new HookWorld();
  writeFileSync(world.transcript(id), content);
  return world;
}

/** As if a running claude, which this test is, held the session. */
function holdSession(world: HookWorld): void {
  mkdirSync(join(world.home, ".claude/sessions"));
  const held = JSON.stringify({ pid: process.pid, sessionId: id });
  writeFileSync(join(world.home, `.claude/sessions/${process.pid}.json`), held);
}

const json = ({ stdout }: CommandResult): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;

describe("verify", () => {
  test("a clean transcript is one line and exit 0", async () => {
    using world = worldWith(whole);
    const { exitCode, stdout, stderr } = await world.run(["verify", "5f0c"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toBe(`✔ ${id}  110 kB, 105 records, clean\n`);
  });

  test("a damaged one says where, what, what Claude loses and how it is mended, and exit 6", async () => {
    using world = worldWith(torn);
    const { exitCode, stdout, stderr } = await world.run(["verify", id]);
    expect(exitCode).toBe(6);
    expect(stdout).toContain("✘");
    expect(stdout).toMatch(/line 23, byte \d+ {2}invalid JSON\n +what +a line that is no JSON\n +loses +this record; /);
    expect(stdout).toContain("repair  the line is cut out, the chain is linked around it");
    expect(stderr).toContain(`session-snapshot repair ${id}`);
  });

  test("--all visits every transcript, prints the damaged ones and counts", async () => {
    using world = worldWith(torn);
    writeFileSync(world.transcript("another-session"), whole);
    const human = await world.run(["verify", "--all"]);
    expect(human.exitCode).toBe(6);
    expect(human.stdout).toEndWith("2 transcripts, 1 damaged, 1 of them can be repaired.\n");
    expect(json(await world.run(["verify", "--all", "--json"]))).toMatchObject({
      damaged: 1,
      transcripts: { length: 2 },
    });
    writeFileSync(world.transcript(id), whole);
    expect(await world.run(["verify", "--all"])).toMatchObject({ exitCode: 0, stdout: "2 transcripts, all clean.\n" });
  });

  test("JSON has every field of the contract", async () => {
    using world = worldWith(torn);
    const report = json(await world.run(["verify", id, "--json"]));
    expect(report).toEqual({
      session: id,
      path: world.transcript(id),
      clean: false,
      repairable: true,
      size: Buffer.byteLength(torn),
      lines: 105,
      records: 104,
      defects: expect.any(Array),
      more: 0,
    });
    expect(Object.keys((report["defects"] as object[])[0] ?? {}).toSorted()).toEqual(
      ["kind", "severity", "line", "offset", "what", "loses", "repair"].toSorted(),
    );
  });

  test("while Claude writes, a torn tail is no damage", async () => {
    using world = worldWith(`${whole}{"uuid":"not yet`);
    expect((await world.run(["verify", id])).exitCode).toBe(6);
    holdSession(world);
    expect((await world.run(["verify", id])).exitCode).toBe(0);
  });

  test("a missing transcript that has a snapshot: exit 4, and where to find it", async () => {
    using world = worldWith(whole);
    await world.hook(id);
    writeFileSync(world.transcript("other"), whole);
    expect((await world.run(["verify", "nonsense"])).exitCode).toBe(4);
    expect((await world.run(["verify", "no/such.jsonl"])).exitCode).toBe(4);
    expect((await world.run(["verify", id, "--all"])).exitCode).toBe(2);
    const { unlinkSync } = await import("node:fs");
    unlinkSync(world.transcript(id));
    const { exitCode, stderr } = await world.run(["verify", id]);
    expect(exitCode).toBe(4);
    expect(stderr).toContain(`session-snapshot restore ${id}`);
  });

  test("one that was overwritten by another conversation is not called what it was, nor is one that got shorter", async () => {
    using world = worldWith(whole);
    await world.hook(id);
    const other = '{"type":"user","uuid":"other","parentUuid":null,"message":{"role":"user","content":"Hello"}}\n';
    writeFileSync(world.transcript(id), other);
    const alarm = `its transcript has ${other.length} bytes, the snapshot ${whole.length}; session-snapshot verify ${id}`;
    expect((await world.run(["status"])).stdout).toContain(alarm);
    // Before a hook has seen it, and after.
    for (const seen of [false, true]) {
      if (seen) await world.hook(id);
      const { exitCode, stdout } = await world.run(["verify", id]);
      expect(exitCode).toBe(0);
      expect(stdout).toContain("1 records, clean, but not the conversation that its snapshot has\n");
      expect(stdout).toContain("another conversation than the snapshot has (generation 1); nothing of that is here");
    }
    expect((await world.run(["status"])).stdout).not.toContain(alarm);
  });
});

describe("repair", () => {
  test("--dry-run prints the changes record by record, and changes nothing", async () => {
    using world = worldWith(whole);
    await world.hook(id);
    writeFileSync(world.transcript(id), torn);
    const { exitCode, stdout } = await world.run(["repair", id, "--dry-run"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/\n- line 23: 80 B that are no record\n/);
    expect(stdout).toMatch(/\n\+ line 22: user 8a7e03b4, from generation 1 of the snapshot\n/);
    expect(stdout).toEndWith("\n104 of 105 records as they were, 1 from the snapshot, 1 piece cut out.\n");
    expect(world.read(id).toString()).toBe(torn);
  });

  test("mends, keeps its mode, says so; a second time there is nothing to do; undo brings the damage back", async () => {
    using world = worldWith(whole);
    await world.hook(id);
    writeFileSync(world.transcript(id), torn);
    const { exitCode, stdout, stderr } = await world.run(["repair", id]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    expect(stderr).toContain("104 of 105 records as they were, 1 from the snapshot, 1 piece cut out; verified.");
    expect(world.read(id).equals(whole)).toBe(true);
    const again = await world.run(["repair", id]);
    expect(again).toMatchObject({ exitCode: 0, stderr: `Nothing to do: session ${id} is clean (105 records).\n` });
    expect((await world.run(["undo", id])).exitCode).toBe(0);
    expect(world.read(id).toString()).toBe(torn);
  });

  test("the next snapshot goes on from the mended transcript", async () => {
    using world = worldWith(whole);
    await world.hook(id);
    writeFileSync(world.transcript(id), `${torn}{"uuid":"torn`);
    await world.hook(id);
    await world.run(["repair", id]);
    expect(world.read(id).equals(whole)).toBe(true);
    const { generation } = world.files.state(id);
    world.grow(id, 1_000);
    await world.hook(id);
    expect(world.files.state(id).generation).toBe(generation);
    expect(world.files.mirror(id).equals(world.read(id))).toBe(true);
  });

  test("a running claude: exit 5 and nothing changed, unless forced", async () => {
    using world = worldWith(torn);
    holdSession(world);
    const refused = await world.run(["repair", id]);
    expect(refused.exitCode).toBe(5);
    expect(refused.stderr).toContain(`a running claude (process ${process.pid}) holds session ${id}`);
    expect(world.read(id).toString()).toBe(torn);
    expect((await world.run(["repair", id, "--force"])).exitCode).toBe(0);
  });

  test("what cannot be repaired: exit 6 and nothing changed", async () => {
    using world = worldWith("");
    const { exitCode, stderr } = await world.run(["repair", id]);
    expect(exitCode).toBe(6);
    expect(stderr).toContain("cannot be repaired: the file is empty; nothing was changed");
    expect(world.read(id).length).toBe(0);
  });

  test("a file that is no session of Claude's is mended where it lies, and comes back with undo", async () => {
    using world = worldWith(whole);
    const copy = join(world.home, "copy.jsonl");
    writeFileSync(copy, torn);
    const repaired = await world.run(["repair", copy, "--json"]);
    expect(json(repaired)).toMatchObject({ session: "copy", repaired: true, summary: { relinked: 1, dropped: 1 } });
    expect((await world.run(["verify", copy])).exitCode).toBe(0);
    expect((await world.run(["undo"])).exitCode).toBe(0);
    expect(readFileSync(copy, "utf8")).toBe(torn);
    expect(json(await world.run(["status", "--json"]))["sessions"]).toEqual([]);
  });

  test("a copy of a session elsewhere is mended from its snapshot, and the session is left alone", async () => {
    using world = worldWith(whole);
    await world.hook(id);
    mkdirSync(join(world.home, "elsewhere"));
    const copy = join(world.home, `elsewhere/${id}.jsonl`);
    copyFileSync(world.transcript(id), copy);
    writeFileSync(copy, torn);
    expect((await world.run(["repair", copy])).exitCode).toBe(0);
    expect(readFileSync(copy).equals(whole)).toBe(true);
    expect(world.files.state(id)).toMatchObject({ generation: 1, transcriptPath: world.transcript(id) });
  });
});
