import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { measure, measureStarts, peakMemory, type Timing } from "./measure.ts";
import { BenchSession } from "./session.ts";

/** One comparison: what was measured, against what, and whether it meets its target. */
export interface Row {
  what: string;
  timing: Timing | undefined;
  against: string;
  /** Ratio of the fastest runs. */
  ratio: number | undefined;
  /** As text; absent without a target. */
  target: string | undefined;
  verdict: "met" | "missed" | undefined;
}

export interface Bench {
  executable: string;
  home: string;
  env: Record<string, string>;
  rounds: number;
}

type Limit = { atMost: number } | { atLeast: number };

const growth = 80_000;
const sizes = [1, 10, 100, 1_000] as const;
const largestSize = 1_000;

/** Compares an idle hook call with programs that do nothing. */
export async function startUpRows({ executable, home, env, rounds }: Bench): Promise<Row[]> {
  const hook = new BenchSession(home, 0.05, executable).nothingToDo("hook, nothing to do");
  const others = {
    "ai-runtime --version": [executable, "--version"],
    "/bin/true": ["/bin/true"],
    "node -e 0": ["node", "-e", "0"],
    "bash + jq": ["bash", "-c", "jq -r .session_id >/dev/null"],
  };
  const present = Object.entries(others).filter(([, [program = ""]]) => Bun.which(program) !== null);
  const cases = present.map(([name, command]) => ({ name, command, stdin: hook.stdin ?? "" }));
  // With checkpoints too: a tool call that is not a milestone must cost the same.
  const both = { ...hook, name: "ai-runtime hook, nothing to do", command: [executable, "hook"] };
  const line = { name: "status line, nothing new", command: [executable, "statusline"], stdin: statusLineInput(home) };
  const timings = await measure([hook, both, line, ...cases], rounds, env);
  return [
    ...cases.map(({ name }) =>
      compare(timings, hook.name, name, name === "ai-runtime --version" ? { atMost: 1.5 } : undefined),
    ),
    compare(timings, both.name, hook.name, { atMost: 1.2 }),
    compare(timings, line.name, hook.name, { atMost: 1.2 }),
  ];
}

/** The same at every call, as between two answers of Claude. */
const statusLineInput = (home: string): string =>
  JSON.stringify({
    session_id: "0c6f4b52-5d1e-4a39-9a57-6b0c2f6d9e11",
    transcript_path: join(home, ".claude/projects/-bench/0c6f4b52-5d1e-4a39-9a57-6b0c2f6d9e11.jsonl"),
    cwd: home,
    context_window: { used_percentage: 43, context_window_size: 200_000 },
    rate_limits: { five_hour: { used_percentage: 50, resets_at: 1_999_999_999 } },
  });

/** Measures the delay that cclaude adds before claude starts, with installed and with injected hooks. */
export function cclaudeRows({ executable, home, env, rounds }: Bench): Row[] {
  const claude = join(home, "claude");
  // Prints its start time in nanoseconds and exits.
  writeFileSync(claude, "#!/bin/sh\nexec date +%s%N\n", { mode: 0o755 });
  const installed = join(home, "installed");
  mkdirSync(join(installed, ".claude"), { recursive: true });
  const hook = { type: "command", command: `${executable} session-snapshot hook` };
  const settings = { hooks: { SessionEnd: [{ matcher: "*", hooks: [hook] }] } };
  writeFileSync(join(installed, ".claude/settings.json"), JSON.stringify(settings));
  const variables = { ...env, CCLAUDE_CLAUDE_BIN: claude };
  const command = [executable, "cclaude", "-p", "hi"];
  const direct = "claude, until it starts";
  const timings = measureStarts(
    [
      { name: direct, command: [claude, "-p", "hi"], env: variables },
      { name: "cclaude, hooks installed, until claude starts", command, env: { ...variables, HOME: installed } },
      { name: "cclaude, hooks injected, until claude starts", command, env: variables },
    ],
    rounds,
  );
  return [...timings.keys()]
    .filter((name) => name !== direct)
    .map((name) => {
      const added = (timings.get(name)?.fastest ?? Infinity) - (timings.get(direct)?.fastest ?? 0);
      const verdict = added < 30 ? "met" : "missed";
      return Object.assign(compare(timings, name, direct, undefined), { target: "< 30 ms more", verdict } as const);
    });
}

/** Measures how the cost depends on the transcript size. */
export async function sizeRows({ executable, home, env, rounds }: Bench): Promise<Row[]> {
  const sessions = sizes.map((megabytes) => ({ megabytes, session: new BenchSession(home, megabytes, executable) }));
  for (const { session } of sessions) session.start(home, env);
  const kinds = ["nothing to do", "80 kB snapshot"] as const;
  const nameOf = (kind: string, megabytes: number): string => `hook, ${kind}, ${megabytes} MB`;
  const cases = sessions.flatMap(({ megabytes, session }) => [
    session.nothingToDo(nameOf(kinds[0], megabytes)),
    session.snapshot(nameOf(kinds[1], megabytes), growth),
  ]);
  const timings = await measure(cases, rounds, env);
  const rows = kinds.flatMap((kind) =>
    sizes.map((megabytes) =>
      compare(
        timings,
        nameOf(kind, megabytes),
        nameOf(kind, 1),
        megabytes === largestSize ? { atMost: 1.3 } : undefined,
      ),
    ),
  );
  const largest = sessions.at(-1)?.session;
  return largest ? [...rows, memoryRow(largest, env)] : rows;
}

function memoryRow(session: BenchSession, env: Record<string, string>): Row {
  const { command, stdin = "", prepare } = session.snapshot("memory", growth);
  prepare?.();
  const kilobytes = peakMemory(command, stdin, env);
  return {
    what: `hook, 80 kB snapshot, ${largestSize} MB: peak memory`,
    timing: undefined,
    against: kilobytes === undefined ? "(/usr/bin/time is missing)" : `${(kilobytes / 1000).toFixed(1)} MB`,
    ratio: undefined,
    target: "< 60 MB",
    verdict: kilobytes === undefined ? undefined : kilobytes < 60_000 ? "met" : "missed",
  };
}

const nodeCopy = `
const { copyFileSync, closeSync, fsyncSync, openSync, readFileSync, renameSync } = require("node:fs");
const { transcript_path } = JSON.parse(readFileSync(0, "utf8"));
const [, , target, careful] = process.argv;
if (careful) {
  copyFileSync(transcript_path, target + ".tmp");
  const fd = openSync(target + ".tmp", "r+");
  fsyncSync(fd);
  closeSync(fd);
  renameSync(target + ".tmp", target);
} else copyFileSync(transcript_path, target);
`;

/** Compares our hook with one that copies the whole transcript, without and with the same durability. */
export async function wholeCopyRows({ executable, home, env, rounds }: Bench): Promise<Row[]> {
  const session = new BenchSession(home, 50, executable);
  session.start(home, env);
  const script = join(home, "copy.cjs");
  writeFileSync(script, nodeCopy);
  const copy = (name: string, ...careful: string[]) => ({
    ...session.snapshot(name, growth),
    command: ["node", script, join(home, "copy.jsonl"), ...careful],
  });
  const ours = session.snapshot("hook, 80 kB snapshot, 50 MB", growth);
  const plain = copy("node, copies 50 MB");
  const careful = copy("node, copies 50 MB, synced, renamed", "careful");
  // A separate session, because a session that grows with every run would soon be due.
  const resting = new BenchSession(home, 51, executable);
  resting.start(home, env);
  const idle = resting.nothingToDo("hook, nothing to do, 51 MB");
  const node = { name: "node -e 0", command: ["node", "-e", "0"], stdin: "" };
  const timings = await measure([ours, plain, careful, idle, node], rounds, env);
  return [
    ...[plain, careful].map(({ name }) => compare(timings, name, ours.name, undefined)),
    ...[plain, careful].map(({ name }) => compareWork(timings, [name, node.name], [ours.name, idle.name])),
  ];
}

/** The cost of copying without program start, because only this part grows with the transcript. */
function compareWork(timings: Map<string, Timing>, [what, start]: Pair, [against, idle]: Pair): Row {
  const work = (name: string, without: string): number =>
    (timings.get(name)?.fastest ?? Number.NaN) - (timings.get(without)?.fastest ?? Number.NaN);
  const ratio = work(what, start) / work(against, idle);
  return {
    what: `${what}: the work alone`,
    timing: undefined,
    against: `${against}: the work alone`,
    ratio,
    target: "≥ 10×",
    verdict: ratio >= 10 ? "met" : "missed",
  };
}

type Pair = readonly [string, string];

export function compare(timings: Map<string, Timing>, what: string, against: string, limit: Limit | undefined): Row {
  const timing = timings.get(what);
  const other = timings.get(against);
  if (!timing || !other) throw new Error(`${what} was not measured against ${against}`);
  const ratio = timing.fastest / other.fastest;
  const met = limit && ("atMost" in limit ? ratio <= limit.atMost : ratio >= limit.atLeast);
  return {
    what,
    timing,
    against,
    ratio,
    target: limit && ("atMost" in limit ? `≤ ${limit.atMost}×` : `≥ ${limit.atLeast}×`),
    verdict: met === undefined ? undefined : met ? "met" : "missed",
  };
}
