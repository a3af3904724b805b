// A broken, forged or very large stream from claude: the run does not accept it as an answer and fails with a clear message.
import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, createWriteStream, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inFull, sampleOf, tally } from "../faults/extent.ts";
import { FaultWorld } from "../faults/fault-world.ts";
import type { StreamName } from "../support/transcripts/record-streams.ts";
import { storedStream } from "../support/transcripts/stored-stream.ts";
import { corpus, distort, distortions } from "./corpus.ts";
import { runHarmless } from "./harmless.ts";

if (inFull) setDefaultTimeout(1_800_000);

/** Each stream starts claude twice, so the full form covers every field, but not every value of every field. */
const maxForgedStreams = 1_000;

/** A fake claude that prints a file and writes no transcript, so all its claims are false. */
function placeClaude(world: FaultWorld): void {
  const claude = join(world.bin, "claude");
  const script = `#!/bin/sh\n[ "$1" = --version ] && { echo '2.1.326 (Claude Code)'; exit 0; }\ncat >/dev/null\ncat ${streamFile(world)}\n`;
  writeFileSync(claude, script);
  chmodSync(claude, 0o755);
  world.env["CCLAUDE_CLAUDE_BIN"] = claude;
  world.env["AI_RUNTIME_RETRY_SECONDS"] = "0.01";
  world.env["AI_RUNTIME_MAX_ATTEMPTS"] = "2";
}

const streamFile = (world: FaultWorld): string => join(world.notes, "stream");

/** The run ends in time, is not done, prints no answer, and status and logs can show it. */
async function runUnanswered(world: FaultWorld, what: string): Promise<void> {
  const ended = await runHarmless(world, ["run", "Do it", "--no-wait"], { what });
  expect([what, ended.stdout, [1, 75, 77].includes(ended.exitCode)]).toEqual([what, "", true]);
  expect([what, controls(ended.stderr)]).toEqual([what, []]);
  const status = await runHarmless(world, ["status", "--json"], { what });
  expect([what, (JSON.parse(status.stdout) as { runs: unknown[] }).runs.length]).toEqual([what, 1]);
  const logs = await runHarmless(world, ["logs"], { what });
  expect([what, logs.exitCode, controls(logs.stdout)]).toEqual([what, 0, []]);
  for (const place of [".ai-runtime", ".claude"])
    rmSync(join(world.directory, place), { recursive: true, force: true });
  rmSync(join(world.home, ".local"), { recursive: true, force: true });
}

/** Control characters that a terminal would execute; Claude's text must contain none when shown. */
const controls = (text: string): string[] => text.match(/[^\P{Cc}\n\t]/gu) ?? [];

test("a run does not trust claude's stream without a matching transcript", async () => {
  using world = new FaultWorld();
  placeClaude(world);
  const names = readdirSync(join(storedStream("2.1.326", "done"), ".."));
  const forged = names.flatMap((name) => {
    const lines = readFileSync(storedStream("2.1.326", name.replace(".jsonl", "") as StreamName), "utf8")
      .trim()
      .split("\n");
    return lines.flatMap((line, at) =>
      Array.from({ length: distortions(line) }, (_, nth): [string, () => string] => [
        `${name} line ${at}, distortion ${nth}`,
        () => `${lines.with(at, distort(line, nth)).join("\n")}\n`,
      ]),
    );
  });
  const fixed = Object.entries(corpus).map(([what, bytes]): [string, () => string | Uint8Array] => [what, () => bytes]);
  const all = [...sampleOf(fixed, 5, "stream"), ...sampleOf(forged, 10, "stream", maxForgedStreams)];
  for (const [what, bytes] of all) {
    writeFileSync(streamFile(world), bytes());
    await runUnanswered(world, what);
  }
  tally(all.length, "hostile streams of claude");
});

test("control characters in the stream are not passed to the terminal", async () => {
  using world = new FaultWorld();
  placeClaude(world);
  const evil = "\u001b]0;title\u0007\u001b[2J\u001b[31mred\u009b31m\u0000\r\b";
  const message = {
    content: [
      { type: "text", text: evil },
      { type: "tool_use", id: "t", name: evil, input: { command: evil } },
    ],
  };
  const lines = [
    { type: "system", subtype: "init", session_id: evil, claude_code_version: evil },
    { type: "assistant", message },
    { type: "result", subtype: evil, is_error: true, result: evil, num_turns: 1, total_cost_usd: 0 },
  ];
  writeFileSync(streamFile(world), `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
  await runUnanswered(world, "escapes");
});

test("an endless line does not use unbounded memory", async () => {
  using world = new FaultWorld();
  placeClaude(world);
  const file = createWriteStream(streamFile(world));
  const piece = "x".repeat(1_000_000);
  file.write('{"type":"assistant","message":{"content":[{"type":"text","text":"');
  for (let written = 0; written < (inFull ? 3_000 : 700); written++) {
    if (!file.write(piece)) await new Promise((resolve) => file.once("drain", resolve));
  }
  await new Promise((resolve) => file.end(resolve));
  await runUnanswered(world, "one line");
});
