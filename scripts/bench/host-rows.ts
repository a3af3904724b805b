import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench, Row } from "./rows.ts";

const megabytes = 100;
const keys = 4_000;
const starts = 15;
/** After the last output, the host looks at Claude's files for some seconds, and Bun collects garbage each second for 30 s. */
const settledMs = 40_000;
const idleMs = 10_000;
/** How much later claude starts in a host than without one. */
const maxStartMs = 60;
/** Characters that no screen control sequence contains. */
const signs = "~%&+|_";
const firstWord = "IT-RUNS";
const lastWord = "ALL-IS-PRINTED";

/** Compares a hosted program with tmux: output throughput, key latency, and the cost of an idle host. */
export async function hostRows(bench: Bench): Promise<Row[]> {
  if (Bun.which("tmux") === null) return [];
  const world = makeWorld(bench);
  const flood = `echo ${firstWord}; read line; head -c ${megabytes}000000 ${world.text}; echo; echo ${lastWord}; read line`;
  const tmux = await timeFlood(world.inTmux(flood));
  const ours = await timeFlood(world.inHost(flood));
  const peak = ours.host === undefined ? undefined : statusOf(ours.host, "VmHWM");
  for (const { end } of [tmux, ours]) await end();
  const echo = `stty raw -echo; echo ${firstWord}; exec cat`;
  const [tmuxKeys, ourKeys] = await timeKeys([world.inTmux(echo), world.inHost(echo)]);
  if (!tmuxKeys || !ourKeys) throw new Error("key latency was not measured");
  const idle = await timeIdle(ourKeys);
  for (const { end } of [tmuxKeys, ourKeys]) await end();
  const start = await timeStart(world);
  return [
    {
      what: "cclaude on a terminal: until claude starts",
      timing: { fastest: start.hosted, median: start.hosted, processor: Number.NaN },
      against: `without a host, ${start.direct.toFixed(1)} ms`,
      ratio: start.hosted / start.direct,
      target: `≤ ${maxStartMs} ms more`,
      verdict: start.hosted - start.direct <= maxStartMs ? "met" : "missed",
    },
    {
      what: `${megabytes} MB through an attached client`,
      timing: { fastest: ours.time, median: ours.time, processor: Number.NaN },
      against: `tmux, ${(megabytes / (tmux.time / 1_000)).toFixed(1)} MB/s`,
      ratio: ours.time / tmux.time,
      target: "≤ 1.2×",
      verdict: ours.time <= 1.2 * tmux.time ? "met" : "missed",
    },
    memoryRow("host: peak memory after that", peak, 100_000),
    {
      what: "key echo latency, p50",
      timing: { fastest: ourKeys.times[0] ?? Number.NaN, median: middle(ourKeys.times), processor: Number.NaN },
      against: `tmux, ${middle(tmuxKeys.times).toFixed(2)} ms`,
      ratio: middle(ourKeys.times) / middle(tmuxKeys.times),
      target: "≤ 1.5×",
      verdict: middle(ourKeys.times) <= 1.5 * middle(tmuxKeys.times) ? "met" : "missed",
    },
    memoryRow("idle host and client: memory (PSS: shared pages counted once)", idle.kilobytes, 90_000),
    memoryRow("idle host and client: sum of both RSS, with the pages of the executable twice", idle.residentKilobytes),
    {
      what: `idle host and client: processor time in ${idleMs / 1_000} s`,
      timing: undefined,
      against: `${idle.milliseconds} ms`,
      ratio: undefined,
      target: "0 ms",
      verdict: idle.milliseconds === 0 ? "met" : "missed",
    },
  ];
}

interface Shown {
  readonly host: number | undefined;
  readonly client: number;
  end(): Promise<void>;
}

/** The fastest of several starts, with and without a host in turn, so that machine load slows both equally. */
async function timeStart(world: World): Promise<{ direct: number; hosted: number }> {
  const fastest = { direct: Infinity, hosted: Infinity };
  const program = `echo ${firstWord}`;
  for (let round = 0; round < starts; round++) {
    for (const how of ["direct", "hosted"] as const) {
      const before = performance.now();
      const stage = how === "direct" ? world.direct(program) : world.inHost(program);
      await stage.until(firstWord);
      fastest[how] = Math.min(fastest[how], performance.now() - before);
      await stage.ended;
    }
  }
  return fastest;
}

interface World {
  readonly text: string;
  /** A program in a terminal that we read, as a user would see it. */
  inTmux(script: string): Stage;
  inHost(script: string): Stage;
  direct(script: string): Stage;
}

interface Stage {
  readonly terminal: Bun.Terminal;
  /** Resolves when this text has appeared after the previously awaited text. */
  until(word: string): Promise<void>;
  host(): number | undefined;
  readonly client: number;
  readonly ended: Promise<unknown>;
  end(): Promise<void>;
}

function makeWorld({ executable, home, env }: Bench): World {
  const root = join(home, "host");
  const runtime = join(root, "run");
  mkdirSync(runtime, { recursive: true, mode: 0o700 });
  const text = join(root, "text");
  const line = "The quick \x1b[32mbrown fox\x1b[0m jumps over the lazy dog, and then it does so once more.\n";
  writeFileSync(text, line.repeat(Math.ceil((megabytes * 1_000_000) / line.length)));
  const variables = { ...env, HOME: root, XDG_RUNTIME_DIR: runtime, TERM: "xterm-256color", LANG: "C.UTF-8" };
  let stages = 0;
  const stage = (command: string[], more: Record<string, string>, leave: () => void): Stage =>
    openStage(command, { ...variables, ...more }, root, leave);
  const write = (script: string): string => {
    const path = join(root, `program-${stages++}`);
    writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return path;
  };
  return {
    text,
    // Both outlive their terminals, so they must be ended explicitly.
    inTmux: (script) => {
      const tmux = ["tmux", "-S", join(root, `tmux-${stages}`), "-f", "/dev/null"];
      return stage([...tmux, "new-session", write(script)], {}, () => Bun.spawnSync([...tmux, "kill-server"]));
    },
    inHost: (script) =>
      stage([executable, "cclaude"], { CCLAUDE_CLAUDE_BIN: write(script) }, () => {
        const host = newestHost(root);
        if (host !== undefined) process.kill(host, "SIGTERM");
      }),
    direct: (script) => stage([executable, "cclaude", "--direct"], { CCLAUDE_CLAUDE_BIN: write(script) }, () => {}),
  };
}

function openStage(command: string[], env: Record<string, string>, root: string, leave: () => void): Stage {
  const decoder = new TextDecoder("latin1");
  let tail = "";
  let look = (): void => {};
  const child = Bun.spawn(command, {
    env,
    cwd: root,
    terminal: {
      cols: 80,
      rows: 24,
      data: (_, bytes) => {
        tail = (tail + decoder.decode(bytes)).slice(-20_000);
        look();
      },
    },
  });
  const { terminal } = child;
  if (!terminal) throw new Error("cannot create a terminal");
  return {
    terminal,
    until: (word) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      look = () => {
        if (!tail.includes(word)) return;
        tail = "";
        resolve();
      };
      look();
      return promise;
    },
    host: () => newestHost(root),
    client: child.pid,
    ended: child.exited,
    end: async () => {
      leave();
      await child.exited;
    },
  };
}

function newestHost(root: string): number | undefined {
  const directory = join(root, ".local/state/ai-runtime/hosts");
  try {
    const records = readdirSync(directory)
      .filter((name) => name.endsWith(".json"))
      .sort()
      .map((name) => JSON.parse(readFileSync(join(directory, name), "utf8")) as HostFile);
    return records.findLast(({ end }) => end === null)?.running?.host.pid;
  } catch {
    return undefined;
  }
}

interface HostFile {
  readonly running: { readonly host: { readonly pid: number } } | null;
  readonly end: object | null;
}

async function timeFlood(stage: Stage): Promise<Shown & { time: number }> {
  await stage.until(firstWord);
  const printed = stage.until(lastWord);
  const start = performance.now();
  stage.terminal.write("\r");
  await printed;
  return { time: performance.now() - start, host: stage.host(), client: stage.client, end: stage.end };
}

/** Sends a key after the previous echo, alternating between both programs, so that machine load slows both equally. */
async function timeKeys(stages: readonly Stage[]): Promise<(Shown & { times: number[] })[]> {
  const shown = stages.map((stage) => ({ stage, times: [] as number[] }));
  for (const { stage } of shown) await stage.until(firstWord);
  for (let round = -20; round < keys; round++) {
    const key = signs[(round + 20) % signs.length] ?? "";
    for (const { stage, times } of shown) {
      const echoed = stage.until(key);
      const start = performance.now();
      stage.terminal.write(key);
      await echoed;
      if (round >= 0) times.push(performance.now() - start);
    }
  }
  return shown.map(({ stage, times }) => ({
    times: times.sort((a, b) => a - b),
    host: stage.host(),
    client: stage.client,
    end: stage.end,
  }));
}

interface Idle {
  readonly kilobytes: number | undefined;
  readonly residentKilobytes: number | undefined;
  /** In steps of 10: the system counts ticks. */
  readonly milliseconds: number;
}

async function timeIdle({ host, client }: Shown): Promise<Idle> {
  if (host === undefined) return { kilobytes: undefined, residentKilobytes: undefined, milliseconds: Number.NaN };
  const ticks = (pid: number): number => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return Number(fields[11]) + Number(fields[12]);
  };
  await Bun.sleep(settledMs);
  const before = ticks(host) + ticks(client);
  await Bun.sleep(idleMs);
  return {
    kilobytes: memoryOf(host, "Pss") + memoryOf(client, "Pss"),
    residentKilobytes: memoryOf(host, "Rss") + memoryOf(client, "Rss"),
    milliseconds: (ticks(host) + ticks(client) - before) * 10,
  };
}

function memoryOf(pid: number, field: "Pss" | "Rss"): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]);
}

function statusOf(pid: number, field: string): number | undefined {
  try {
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return undefined;
  }
}

const middle = (times: readonly number[]): number => times[Math.floor(times.length / 2)] ?? Number.NaN;

function memoryRow(what: string, kilobytes: number | undefined, maxKilobytes = Infinity): Row {
  const hasTarget = maxKilobytes < Infinity;
  return {
    what,
    timing: undefined,
    against: kilobytes === undefined ? "(not known here)" : `${(kilobytes / 1_000).toFixed(1)} MB`,
    ratio: undefined,
    target: hasTarget ? `< ${maxKilobytes / 1_000} MB` : "",
    verdict: kilobytes === undefined || !hasTarget ? undefined : kilobytes < maxKilobytes ? "met" : "missed",
  };
}
