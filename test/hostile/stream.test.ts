// What a run reads from claude: a stream that is broken, forged or very large is no answer, does no harm, and ends in words.
import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, createWriteStream, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inFull, sampleOf, tally } from "../faults/extent.ts";
import { FaultWorld } from "../faults/fault-world.ts";
import type { StreamName } from "../support/record-streams.ts";
import { storedStream } from "../support/stored-stream.ts";
import { corpus, distort, distortions } from "./corpus.ts";
import { runHarmless } from "./harmless.ts";

setDefaultTimeout(inFull ? 1_800_000 : 120_000);

/** Each starts a claude twice: enough of them to meet every field, not every value in every field. */
const most = 1_000;

/** A claude that says what is in a file, and leaves no transcript of it: nothing that it claims is so. */
function placeClaude(world: FaultWorld): void {
  const claude = join(world.bin, "claude");
  const script = `#!/bin/sh\n[ "$1" = --version ] && { echo '2.1.325 (Claude Code)'; exit 0; }\ncat >/dev/null\ncat ${said(world)}\n`;
  writeFileSync(claude, script);
  chmodSync(claude, 0o755);
  world.env["CCLAUDE_CLAUDE_BIN"] = claude;
  world.env["AI_RUNTIME_RETRY_SECONDS"] = "0.01";
  world.env["AI_RUNTIME_MAX_ATTEMPTS"] = "2";
}

const said = (world: FaultWorld): string => join(world.notes, "said");

/** It ends soon, is not called done, prints nothing as an answer, and can be looked at afterwards. */
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

/** What would move the cursor, rename the window or ring: Claude's words are text, on a terminal too. */
const controls = (text: string): string[] => text.match(/[^\P{Cc}\n\t]/gu) ?? [];

test("whatever claude's stream holds: nothing of it is believed without its transcript", async () => {
  using world = new FaultWorld();
  placeClaude(world);
  const names = readdirSync(join(storedStream("2.1.325", "done"), ".."));
  const forged = names.flatMap((name) => {
    const lines = readFileSync(storedStream("2.1.325", name.replace(".jsonl", "") as StreamName), "utf8")
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
  const all = [...sampleOf(fixed, 5, "stream"), ...sampleOf(forged, 10, "stream", most)];
  for (const [what, bytes] of all) {
    writeFileSync(said(world), bytes());
    await runUnanswered(world, what);
  }
  tally(all.length, "hostile streams of claude");
});

test("words that would move the cursor are shown as words", async () => {
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
  writeFileSync(said(world), `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
  await runUnanswered(world, "escapes");
});

test("a line that never ends takes no memory without end", async () => {
  using world = new FaultWorld();
  placeClaude(world);
  const file = createWriteStream(said(world));
  const piece = "x".repeat(1_000_000);
  file.write('{"type":"assistant","message":{"content":[{"type":"text","text":"');
  for (let written = 0; written < (inFull ? 3_000 : 700); written++) {
    if (!file.write(piece)) await new Promise((resolve) => file.once("drain", resolve));
  }
  await new Promise((resolve) => file.end(resolve));
  await runUnanswered(world, "one line");
});
