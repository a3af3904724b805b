// Hostile stdin, transcripts and command lines: no crash, no hang, no unbounded memory.
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { inFull, sampleOf, tally } from "../faults/extent.ts";
import { FaultWorld } from "../faults/fault-world.ts";
import { storedTranscript } from "../support/transcripts/stored-transcript.ts";
import { corpus, distort, payloads } from "./corpus.ts";
import { runHarmless } from "./harmless.ts";

if (inFull) setDefaultTimeout(1_800_000);

const id = "11111111-2222-4333-8444-555555555555";
/** Fixed, so that every run tries the same inputs. */
const seed = 20_261_117;
const runs = inFull ? 600 : 25;

test("hooks and the status line accept any payload and never disturb Claude", async () => {
  using world = new FaultWorld();
  world.grow(id, 30_000);
  const fixed = Object.entries(corpus);
  for (const [what, stdin] of fixed) {
    const silent = await runHarmless(world, ["session-snapshot", "hook"], { stdin, what });
    expect([what, silent]).toEqual([what, { exitCode: 0, stdout: "", stderr: "" }]);
    expect((await runHarmless(world, ["hook"], { stdin, what })).exitCode).toBe(0);
    expect((await runHarmless(world, ["statusline"], { stdin, what })).exitCode).toBe(0);
  }
  const known = world.payload(id, "PostToolUse", {
    cwd: world.directory,
    tool_name: "Write",
    tool_input: { file_path: "/a" },
  });
  const property = fc.asyncProperty(
    fc.oneof(
      payloads,
      fc.nat().map((nth) => distort(known, nth)),
    ),
    async (stdin) => {
      const what = stdin.slice(0, 500);
      const silent = await runHarmless(world, ["session-snapshot", "hook"], { stdin, what });
      expect([what, silent]).toEqual([what, { exitCode: 0, stdout: "", stderr: "" }]);
      const spoken = await runHarmless(world, ["hook"], { stdin, what });
      expect([what, spoken.exitCode, spoken.stderr]).toEqual([what, 0, ""]);
      // Claude expects JSON or empty output.
      if (spoken.stdout !== "") JSON.parse(spoken.stdout);
      const line = await runHarmless(world, ["statusline"], { stdin, what });
      expect([what, line.exitCode, line.stderr]).toEqual([what, 0, ""]);
    },
  );
  await fc.assert(property, { seed, numRuns: runs, endOnFailure: true });
  tally((fixed.length + runs) * 3, "hostile payloads");
});

const readers = ["verify", "repair --dry-run", "view", "list", "restore --dry-run", "repair"];

test("commands read, show, check and copy transcripts of arbitrary bytes safely", async () => {
  using world = new FaultWorld();
  const whole = readFileSync(storedTranscript("2.1.326"), "utf8");
  const lines = whole.split("\n").filter((line) => line !== "");
  const torn = Array.from({ length: inFull ? 200 : 8 }, (_, nth): [string, string | Uint8Array] => {
    const at = (nth * 7) % lines.length;
    return [`line ${at} distorted`, `${lines.with(at, distort(lines[at] ?? "", nth * 31)).join("\n")}\n`];
  });
  const all = [...Object.entries(corpus), ...torn];
  for (const [what, bytes] of all) {
    writeFileSync(world.transcript(id), bytes);
    await runHarmless(world, ["session-snapshot", "hook"], { stdin: world.payload(id), what });
    for (const words of sampleOf(readers, 2, what)) {
      const [verb = "", ...options] = words.split(" ");
      await runHarmless(world, ["session-snapshot", verb, id, ...options], { what });
    }
  }
  tally(all.length, "hostile transcripts");
});

/** Excludes commands that start claude, change the machine or wait for input. */
const verbs = {
  "session-snapshot": "status list restore undo verify repair view clean hook help --help --version".split(" "),
  checkpoint: "save show list clear help".split(" "),
  "": "status logs stop doctor completions statusline help --help --version".split(" "),
};

const word = fc.oneof(
  fc.constantFrom(
    "--json",
    "--to",
    "--session",
    "--older-than",
    "--dry-run",
    "--yes",
    "--",
    "-",
    "",
    "-x",
    "--no-such",
  ),
  fc.constantFrom("../../x", "/etc/passwd", "1", "-1", "9".repeat(40), "latest", id, "\u001b[31m", "x".repeat(20_000)),
  // An argument cannot hold a NUL.
  fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", "")),
);

test("any command line gets a clear answer and a documented exit code", async () => {
  using world = new FaultWorld();
  world.grow(id, 30_000);
  await world.hook(id);
  const transcript = world.read(id);
  const lines = fc
    .constantFrom(...Object.entries(verbs))
    .chain(([program, known]) =>
      fc.tuple(fc.constant(program), fc.constantFrom(...known), fc.array(word, { maxLength: 4 })),
    );
  const property = fc.asyncProperty(lines, async ([program, verb, words]) => {
    const line = [...(program === "" ? [] : [program]), verb, ...words];
    const { exitCode, stderr } = await runHarmless(world, line, { what: "argv" });
    if (exitCode === 2) expect(stderr.trim()).not.toBe("");
    expect(world.read(id).equals(transcript)).toBe(true);
  });
  await fc.assert(property, { seed, numRuns: inFull ? 1_500 : 60, endOnFailure: true });
  tally(inFull ? 1_500 : 60, "hostile command lines");
});
