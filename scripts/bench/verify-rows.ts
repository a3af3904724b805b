import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Case, measure, peakMemory } from "./measure.ts";
import { type Bench, compare, type Row } from "./rows.ts";
import { writeConversation } from "./transcript.ts";

const sessionId = "00000000-0000-4000-8000-000000000500";
const megabytes = 500;
/** Few rounds, because each run reads half a gigabyte. */
const mostRounds = 15;

/** Compares verify with wc, which only counts lines. */
export async function verifyRows({ executable, home, env, rounds }: Bench): Promise<Row[]> {
  const path = join(home, ".claude/projects/-verify", `${sessionId}.jsonl`);
  writeConversation(path, sessionId, megabytes * 1_000_000);
  const command = [executable, "session-snapshot", "verify", sessionId];
  const forget = (): void => rmSync(join(home, ".config/session-snapshot/verified.json"), { force: true });
  const first: Case = { name: `verify, ${megabytes} MB, first time`, command, prepare: forget };
  const again: Case = { name: `verify, ${megabytes} MB, unchanged since`, command };
  const count: Case = { name: "wc -l", command: ["wc", "-l", path] };
  // The order matters: the second case uses the result that the first one stored.
  const timings = await measure([count, first, again], Math.min(rounds, mostRounds), env);
  forget();
  const kilobytes = peakMemory(command, "", env);
  // A record of another session at the end makes verify inspect every record before it.
  appendFileSync(path, `${JSON.stringify({ type: "mode", mode: "plan", sessionId: "another" })}\n`);
  const noted: Case = { name: `verify, ${megabytes} MB, with a finding, first time`, command, prepare: forget };
  const notedTimings = await measure([count, noted], Math.min(rounds, mostRounds), env);
  rmSync(path);
  return [
    compare(timings, first.name, count.name, { atMost: 3 }),
    compare(notedTimings, noted.name, count.name, undefined),
    compare(timings, again.name, count.name, { atMost: 3 }),
    {
      what: `${first.name}: peak memory`,
      timing: undefined,
      against: kilobytes === undefined ? "(/usr/bin/time is missing)" : `${(kilobytes / 1000).toFixed(1)} MB`,
      ratio: undefined,
      target: "< 150 MB",
      verdict: kilobytes === undefined ? undefined : kilobytes < 150_000 ? "met" : "missed",
    },
  ];
}
