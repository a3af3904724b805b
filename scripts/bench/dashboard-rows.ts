import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartedDashboard } from "../../test/support/dashboard/started-dashboard.ts";
import type { Timing } from "./measure.ts";
import type { Bench, Row } from "./rows.ts";
import { writeEnded } from "./status-rows.ts";

const sessions = 2_000;
const endedRuns = 10_000;

/** The dashboard with many sessions and runs: what a browser waits for, how late a new line is, memory, and the size of the page. */
export async function dashboardRows({ executable, home, env, rounds }: Bench): Promise<Row[]> {
  const place = join(home, "dashboard");
  const own = { ...env, HOME: place };
  fill(place);
  Bun.spawnSync([executable, "session-snapshot", "backfill"], { env: own, cwd: place });
  await using dashboard = await StartedDashboard.start({ env: own, cwd: place });
  const cookie = await dashboard.enter();
  const load = async (path: string): Promise<Uint8Array<ArrayBuffer>> =>
    new Uint8Array(await (await fetch(`${dashboard.address}${path}`, { headers: { cookie } })).arrayBuffer());
  const html = new TextDecoder().decode(await load("/"));
  const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = ""]) => path);
  const first = await repeat(rounds, async () => {
    await load("/");
    await Promise.all(files.map(load));
    await load("/api/now");
  });
  const list = await repeat(rounds, () => load("/api/sessions?skip=0"));
  const late = await latency(dashboard.address, cookie, place, rounds);
  const scripts = await Promise.all(files.map(load));
  const imported = await Promise.all(importsOf(scripts).map(load));
  const compressed = (parts: readonly Uint8Array<ArrayBuffer>[]): number =>
    parts.reduce((sum, bytes) => sum + Bun.gzipSync(bytes).length, 0) / 1_000;
  // The terminal is by far the largest of the imported parts.
  const terminal = Math.max(0, ...imported.map((bytes) => compressed([bytes])));
  const memory = memoryOf(place);
  rmSync(place, { recursive: true, force: true });
  const size = compressed(scripts) + compressed(imported) - terminal;
  return [
    timed(`dashboard, first view of ${sessions} sessions and ${endedRuns} runs`, first, 150),
    timed("dashboard, newest sessions", list, 150),
    timed("dashboard, from a line of the transcript to the page", late, 1_000),
    plain("dashboard: memory after that", `${memory.toFixed(1)} MB`, "< 150 MB", memory < 150),
    plain("dashboard: page, compressed", `${size.toFixed(1)} kB`, "< 300 kB", size < 300),
    plain("dashboard: terminal, compressed, loaded when used", `${terminal.toFixed(1)} kB`, undefined, true),
  ];
}

const sessionId = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const transcriptOf = (place: string, n: number): string =>
  join(place, ".claude/projects/-bench", `${sessionId(n)}.jsonl`);

function fill(place: string): void {
  const ended = join(place, ".local/state/ai-runtime/runs/ended");
  for (const path of [ended, join(place, ".claude/projects/-bench")]) mkdirSync(path, { recursive: true, mode: 0o700 });
  for (let n = 0; n < endedRuns; n++) writeEnded(ended, place, `20261001-${String(n).padStart(6, "0")}-aaaa`);
  for (let n = 0; n < sessions; n++) writeFileSync(transcriptOf(place, n), lineOf(n, 0).repeat(5));
}

const lineOf = (n: number, at: number): string =>
  `${JSON.stringify({ type: "user", uuid: `u${at}`, parentUuid: null, sessionId: sessionId(n), timestamp: new Date().toISOString(), message: { role: "user", content: `Task ${n} ${"x".repeat(500)}` } })}\n`;

async function repeat(rounds: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const start = performance.now();
    await work();
    if (round >= 0) times.push(performance.now() - start);
  }
  return times;
}

/** How long a page waits for the event that a transcript has grown. */
async function latency(address: string, cookie: string, place: string, rounds: number): Promise<number[]> {
  const aborter = new AbortController();
  const response = await fetch(`${address}/api/events?session=${sessionId(1)}`, {
    headers: { cookie },
    signal: aborter.signal,
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const untilGrown = async (): Promise<void> => {
    for (let text = ""; !text.includes("event: transcript");)
      text += new TextDecoder().decode((await reader.read()).value);
  };
  await untilGrown();
  const times = await repeat(rounds, async () => {
    appendFileSync(transcriptOf(place, 1), lineOf(1, 1));
    await untilGrown();
  });
  aborter.abort();
  return times;
}

const importsOf = (scripts: readonly Uint8Array[]): string[] => [
  ...new Set(scripts.flatMap((bytes) => new TextDecoder().decode(bytes).match(/\/chunk-\w+\.js/g) ?? [])),
];

function memoryOf(place: string): number {
  const record = JSON.parse(readFileSync(join(place, ".local/state/ai-runtime/dashboard.json"), "utf8"));
  const status = readFileSync(`/proc/${record.running.server.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1_000;
}

const timingOf = (times: readonly number[]): Timing => {
  const sorted = times.toSorted((a, b) => a - b);
  return {
    fastest: sorted[0] ?? Number.NaN,
    median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    processor: Number.NaN,
  };
};

function timed(what: string, times: readonly number[], limitMs: number): Row {
  const timing = timingOf(times);
  const verdict = timing.median < limitMs ? "met" : "missed";
  return { what, timing, against: "", ratio: undefined, target: `< ${limitMs} ms`, verdict };
}

const plain = (what: string, against: string, target: string | undefined, isMet: boolean): Row => ({
  what,
  timing: undefined,
  against,
  ratio: undefined,
  target,
  verdict: target === undefined ? undefined : isMet ? "met" : "missed",
});
