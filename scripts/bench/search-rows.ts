import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { currentEnvironment } from "../../src/app/environment.ts";
import { search } from "../../src/app/search/search.ts";
import { readSearchable } from "../../src/claude/transcript/searchable.ts";
import { measure, type Timing } from "./measure.ts";
import { BenchSession } from "./session.ts";
import { type Bench, compare, type Row } from "./rows.ts";

/** 100 MB by default, because the text must be written first; `AI_RUNTIME_BENCH_SEARCH_MB=1000` measures the full size. */
const megabytes = Number(process.env["AI_RUNTIME_BENCH_SEARCH_MB"] ?? 100);
const bytesPerSession = 500_000;
const queries = [
  "transcript",
  "snapshot restore",
  '"the session"',
  "writeConversation",
  "conf*",
  "architecture violations -test",
  "ENOSPC",
  "permission mode stricter",
  "watchdog systemd unit",
  "zeppelin",
];

/** Indexing and searching many conversations, against ripgrep over the same files. */
export async function searchRows({ executable, home, env, rounds }: Bench): Promise<Row[]> {
  const own = join(home, "search");
  const variables = { ...env, HOME: own };
  const projects = join(own, ".claude/projects");
  const text = writeCorpus(projects);
  const sessions = (megabytes * 1_000_000) / bytesPerSession;
  const name = `${megabytes} MB in ${sessions} conversations`;
  const environment = currentEnvironment(variables);
  const index = environment.paths.searchIndex;
  const command = (query: string): string[] => [executable, "session-snapshot", "search", "--quiet", "--", query];
  const few = Math.max(3, Math.ceil(rounds / 4));
  const indexing = `search index of ${name}, from nothing`;
  const pass = "rg -i, one pass";
  const rg = Bun.which("rg");
  const once = timeOnce(command("snapshot"), variables);
  const passes = rg
    ? await measure([{ name: pass, command: [rg, "-i", "-c", "snapshot", projects] }], few, variables)
    : [];
  const timings = new Map([[indexing, once], ...passes]);
  const whole = await measure([{ name: "search, the whole command", command: command("snapshot") }], rounds, variables);
  const inside = await queryTimes(environment, rounds);
  const missing = "(ripgrep is not installed)";
  const passMs = timings.get(pass)?.median;
  const beside = (what: string, timing: Timing | undefined, target?: string): Row => {
    const ratio = passMs === undefined || !timing ? undefined : passMs / timing.median;
    const verdict = ratio === undefined || target === undefined ? undefined : ratio >= 20 ? "met" : "missed";
    return { what, timing, against: rg ? pass : missing, ratio: ratio && 1 / ratio, target, verdict };
  };
  const share = statSync(index).size / text;
  const rows: Row[] = [
    rg
      ? compare(timings, indexing, pass, { atMost: 3 })
      : {
          what: indexing,
          timing: timings.get(indexing),
          against: missing,
          ratio: undefined,
          target: undefined,
          verdict: undefined,
        },
    beside("search, p50 of 10 queries", inside.p50, "≤ 0.05×"),
    beside("search, p95 of 10 queries", inside.p95, "≤ 0.05×"),
    beside("search, the whole command with its start", whole.get("search, the whole command")),
    {
      what: `search index of ${name}: disk`,
      timing: undefined,
      against: `${(100 * share).toFixed(1)} % of ${(text / 1e6).toFixed(0)} MB text`,
      ratio: undefined,
      target: "<= 30 %",
      verdict: share <= 0.3 ? "met" : "missed",
    },
  ];
  rows.push(...(await backfillRows({ executable, home: own, env: variables, rounds })));
  rmSync(own, { recursive: true, force: true });
  return rows;
}

/** Indexing a large text once takes long enough to be exact. */
function timeOnce(command: string[], env: Record<string, string>): Timing {
  const start = performance.now();
  const run = Bun.spawnSync(command, { env, stdout: "ignore", stderr: "ignore" });
  const wall = performance.now() - start;
  if (run.exitCode !== 0) throw new Error(`${command.join(" ")} exited with ${run.exitCode}`);
  return { fastest: wall, median: wall, processor: Number(run.resourceUsage.cpuTime.total) / 1_000 };
}

/** The search itself, with the look for new text, but without the start of a process. */
async function queryTimes(
  environment: ReturnType<typeof currentEnvironment>,
  rounds: number,
): Promise<Record<"p50" | "p95", Timing>> {
  const times: { wall: number; processor: number }[] = [];
  for (let round = -1; round < rounds; round++) {
    for (const words of queries) {
      const start = performance.now();
      const before = process.cpuUsage();
      await search(environment, { words, limit: 10 });
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) times.push({ wall: performance.now() - start, processor: (user + system) / 1_000 });
    }
  }
  const sorted = (key: "wall" | "processor"): number[] => times.map((each) => each[key]).sort((a, b) => a - b);
  const at = (share: number): Timing => {
    const pick = (all: readonly number[]): number => all[Math.floor((all.length - 1) * share)] ?? Number.NaN;
    return {
      fastest: sorted("wall")[0] ?? Number.NaN,
      median: pick(sorted("wall")),
      processor: pick(sorted("processor")),
    };
  };
  return { p50: at(0.5), p95: at(0.95) };
}

/** A hook must not notice that a backfill runs. */
async function backfillRows({ executable, home, env, rounds }: Bench): Promise<Row[]> {
  const session = new BenchSession(home, 1, executable);
  session.start(home, env);
  const alone = session.snapshot("hook, 80 kB snapshot", 80_000);
  const meanwhile = { ...alone, name: "hook, 80 kB snapshot, during a backfill" };
  const timings = await measure([alone], rounds, env);
  const worker = Bun.spawn([executable, "session-snapshot", "backfill-worker"], {
    env,
    stdio: ["ignore", "ignore", "ignore"],
  });
  const during = await measure([meanwhile], rounds, env);
  const wasRunning = worker.exitCode === null;
  worker.kill("SIGKILL");
  await worker.exited;
  const row = compare(new Map([...timings, ...during]), meanwhile.name, alone.name, { atMost: 1.5 });
  return [wasRunning ? row : { ...row, what: `${row.what} (which ended before)` }];
}

/** Conversations about real text, the sources and documents of this project, cut differently each time. Returns the bytes of text. */
function writeCorpus(projects: string): number {
  const pool = readPool();
  let seed = 42;
  const next = (): number => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff) / 0x7fffffff;
  const cut = (length: number): string => {
    const at = Math.floor(next() * (pool.length - length));
    return pool.slice(at, at + length);
  };
  let text = 0;
  for (let written = 0, number = 0; written < megabytes * 1_000_000; number++) {
    const sessionId = randomUUID();
    const path = join(projects, `-project-${number % 40}`, `${sessionId}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    const lines = conversation(sessionId, cut, number);
    for (const line of number % 20 === 0 ? lines : [])
      text += 20 * (readSearchable(line)?.texts.reduce((sum, each) => sum + each.text.length, 0) ?? 0);
    const fd = openSync(path, "w");
    written += writeSync(fd, lines.join(""));
    closeSync(fd);
  }
  return text;
}

function conversation(sessionId: string, cut: (length: number) => string, number: number): string[] {
  const lines: string[] = [];
  let parentUuid: string | null = null;
  let time = Date.parse("2026-09-01T00:00:00Z") + number * 3_600_000;
  const written = { bytes: 0 };
  const add = (type: string, content: unknown, more: object = {}): void => {
    const uuid = randomUUID();
    const common = {
      isSidechain: false,
      type,
      uuid,
      timestamp: new Date((time += 5_000)).toISOString(),
      cwd: "/bench",
    };
    const usage = { input_tokens: 12, cache_read_input_tokens: 40_000, output_tokens: 200 };
    const message = type === "assistant" ? { role: type, usage, content } : { role: type, content };
    lines.push(`${JSON.stringify({ parentUuid, ...common, sessionId, version: "2.1.326", message, ...more })}\n`);
    written.bytes += lines.at(-1)?.length ?? 0;
    parentUuid = uuid;
  };
  for (let step = 0; written.bytes < bytesPerSession; step++) {
    if (step % 8 === 0) add("user", cut(300));
    add("assistant", [{ type: "text", text: cut(600) }]);
    const id = `toolu_${number}_${step}`;
    add("assistant", [{ type: "tool_use", id, name: "Bash", input: { command: cut(120) } }]);
    const stdout = cut(500 + ((step * 977) % 5_000));
    add("user", [{ type: "tool_result", tool_use_id: id, content: stdout }], { toolUseResult: { stdout, stderr: "" } });
    lines.push(`${JSON.stringify({ type: "last-prompt", lastPrompt: "continue", leafUuid: parentUuid, sessionId })}\n`);
  }
  return lines;
}

function readPool(): string {
  const root = join(import.meta.dir, "../..");
  return ["src", "test", "docs", "scripts"]
    .flatMap((part) => readdirSync(join(root, part), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(ts|md)$/.test(entry.name))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"))
    .join("\n");
}
