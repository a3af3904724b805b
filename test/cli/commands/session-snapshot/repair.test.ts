// The commands verify and repair: output, exit codes, files outside of Claude's directory, running sessions.
import { describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandResult } from "../../../support/run-program.ts";
import { HookWorld } from "../../../support/worlds/hook-world.ts";
import { storedTranscript } from "../../../support/transcripts/stored-transcript.ts";

const id = "5f0c1f6e-0000-4000-8000-000000000001";
const whole = readFileSync(storedTranscript("2.1.326"));
const lines = whole.toString().split("\n");
const count = lines.length - 1;
/** The start of the id of the record in line 23. */
const uuid = (JSON.parse(lines[22] ?? "") as { uuid: string }).uuid.slice(0, 8);
/** The transcript with a torn line 23, the result of the first tool call. */
const torn = lines.with(22, lines[22]?.slice(0, 80) ?? "").join("\n");

function worldWith(content: string | Buffer): HookWorld {
  const world = new HookWorld();
  writeFileSync(world.transcript(id), content);
  return world;
}

/** Registers this test process as a running claude that holds the session. */
function holdSession(world: HookWorld): void {
  mkdirSync(join(world.home, ".claude/sessions"));
  const held = JSON.stringify({ pid: process.pid, sessionId: id });
  writeFileSync(join(world.home, `.claude/sessions/${process.pid}.json`), held);
}

const json = ({ stdout }: CommandResult): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;

describe("verify", () => {
  test("a clean transcript gives one line and exit code 0", async () => {
    using world = worldWith(whole);
    const { exitCode, stdout, stderr } = await world.run(["verify", "5f0c"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toBe(`✔ ${id}  110 kB, ${count} records, clean\n`);
  });

  test("a damaged one shows where, what, what Claude loses and how to repair it, with exit code 6", async () => {
    using world = worldWith(torn);
    const { exitCode, stdout, stderr } = await world.run(["verify", id]);
    expect(exitCode).toBe(6);
    expect(stdout).toContain("✘");
    expect(stdout).toMatch(
      /line 23, byte \d+ {2}invalid JSON\n +what +a line that is not JSON\n +loses +this record; /,
    );
    expect(stdout).toContain("repair  the line is removed, the chain is linked around it");
    expect(stderr).toContain(`session-snapshot repair ${id}`);
  });

  test("--all checks every transcript, prints the damaged ones and a summary", async () => {
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
      forked: false,
      size: Buffer.byteLength(torn),
      lines: count,
      records: count - 1,
      defects: expect.any(Array),
      more: 0,
      sideFiles: [],
      subagents: [],
    });
    expect(Object.keys((report["defects"] as object[])[0] ?? {}).toSorted()).toEqual(
      ["kind", "severity", "line", "offset", "what", "loses", "repair"].toSorted(),
    );
  });

  test("a torn tail is not damage while Claude writes", async () => {
    using world = worldWith(`${whole}{"uuid":"not yet`);
    expect((await world.run(["verify", id])).exitCode).toBe(6);
    holdSession(world);
    expect((await world.run(["verify", id])).exitCode).toBe(0);
  });

  test("a missing transcript with a snapshot: exit code 4, and where to find it", async () => {
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

  test("reports a transcript that was overwritten by another conversation, or that got shorter", async () => {
    using world = worldWith(whole);
    await world.hook(id);
    const other = '{"type":"user","uuid":"other","parentUuid":null,"message":{"role":"user","content":"Hello"}}\n';
    writeFileSync(world.transcript(id), other);
    const alarm = `its transcript has ${other.length} bytes, its snapshot ${whole.length}; session-snapshot verify ${id}`;
    expect((await world.run(["status"])).stdout).toContain(alarm);
    // Before a hook has recorded it, and after.
    for (const seen of [false, true]) {
      if (seen) await world.hook(id);
      const { exitCode, stdout } = await world.run(["verify", id]);
      expect(exitCode).toBe(0);
      expect(stdout).toContain("1 records, clean, but not the conversation in its snapshot\n");
      expect(stdout).toContain("not the conversation in the snapshot (generation 1); none of that is here");
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
    expect(stdout).toMatch(/\n- line 23: 80 B that are not a record\n/);
    expect(stdout).toContain(`\n+ line 22: user ${uuid}, from generation 1 of the snapshot\n`);
    expect(stdout).toEndWith(`\n${count - 1} of ${count} records unchanged, 1 from the snapshot, 1 piece cut out.\n`);
    expect(world.read(id).toString()).toBe(torn);
  });

  test("repairs, keeps the mode, reports it; a second repair has nothing to do; undo restores the damage", async () => {
    using world = worldWith(whole);
    await world.hook(id);
    writeFileSync(world.transcript(id), torn);
    const { exitCode, stdout, stderr } = await world.run(["repair", id]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    expect(stderr).toContain(
      `${count - 1} of ${count} records unchanged, 1 from the snapshot, 1 piece cut out; verified.`,
    );
    expect(world.read(id).equals(whole)).toBe(true);
    const again = await world.run(["repair", id]);
    expect(again).toMatchObject({ exitCode: 0, stderr: `Nothing to do: session ${id} is clean (${count} records).\n` });
    expect((await world.run(["undo", id])).exitCode).toBe(0);
    expect(world.read(id).toString()).toBe(torn);
  });

  test("the next snapshot continues from the repaired transcript", async () => {
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

  test("a running claude: exit code 5 and no change, unless forced", async () => {
    using world = worldWith(torn);
    holdSession(world);
    const refused = await world.run(["repair", id]);
    expect(refused.exitCode).toBe(5);
    expect(refused.stderr).toContain(`a running claude (process ${process.pid}) holds session ${id}`);
    expect(world.read(id).toString()).toBe(torn);
    expect((await world.run(["repair", id, "--force"])).exitCode).toBe(0);
  });

  test("irreparable damage: exit code 6 and no change", async () => {
    using world = worldWith("");
    const { exitCode, stderr } = await world.run(["repair", id]);
    expect(exitCode).toBe(6);
    expect(stderr).toContain("cannot be repaired: the file is empty; nothing was changed");
    expect(world.read(id).length).toBe(0);
  });

  test("repairs a file outside of Claude's directory in place, and undo restores it", async () => {
    using world = worldWith(whole);
    const copy = join(world.home, "copy.jsonl");
    writeFileSync(copy, torn);
    const repaired = await world.run(["repair", copy, "--json"]);
    expect(json(repaired)).toMatchObject({ session: "copy", repaired: true, summary: { relinked: 1, dropped: 1 } });
    expect((await world.run(["verify", copy])).exitCode).toBe(0);
    expect((await world.run(["undo", copy])).exitCode).toBe(0);
    expect(readFileSync(copy, "utf8")).toBe(torn);
    expect((await world.run(["repair", copy])).stderr).toContain(`session-snapshot undo ${copy} brings it back`);
    expect((await world.run(["undo"])).exitCode).toBe(0);
    expect(readFileSync(copy, "utf8")).toBe(torn);
    expect(json(await world.run(["status", "--json"]))["sessions"]).toEqual([]);
  });

  test("repairs a copy of a session from its snapshot, and does not touch the session", async () => {
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
