import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunContext, type RunState, transition } from "../../src/core/restart/machine.ts";
import { plainContext } from "../run-diagram.ts";
import type { Bench, Row } from "./rows.ts";

const hour = 3_600_000;
const days = 10_000;

/** Measures how soon a run continues after a limit reset, and how much time that saves per day. */
export async function limitRows({ executable, home, env }: Bench): Promise<Row[]> {
  const delay = await delayAfterReset(executable, home, env);
  const ours = lostPerDay((hit, reset) => wakeAt(hit, reset));
  const fixed = lostPerDay((hit, reset) => hit + Math.ceil((reset - hit) / hour) * hour);
  return [
    {
      what: "a run continues after its limit reset",
      timing: { fastest: delay, median: delay, processor: Number.NaN },
      against: "the announced reset time",
      ratio: undefined,
      target: "< 5 s",
      verdict: delay < 5_000 ? "met" : "missed",
    },
    {
      what: "time lost per day with two 5-hour limits, simulated",
      timing: { fastest: ours, median: ours, processor: Number.NaN },
      against: `a fixed wait of 60 minutes: ${(fixed / 60_000).toFixed(0)} min`,
      ratio: ours / fixed,
      target: undefined,
      verdict: undefined,
    },
  ];
}

/** Milliseconds from the reset until claude is started again. */
async function delayAfterReset(executable: string, home: string, env: Record<string, string>): Promise<number> {
  const world = join(home, "limit");
  const project = join(world, "project");
  mkdirSync(project, { recursive: true });
  const resetsAt = Math.floor(Date.now() / 1000) + 2;
  const limit = { type: "rate_limit_event", rate_limit_info: { status: "rejected", resetsAt } };
  const failure = { type: "assistant", error: "rate_limit", message: { model: "<synthetic>", content: "a limit" } };
  const result = { type: "result", subtype: "success", is_error: true, num_turns: 1 };
  const lines = [{ type: "system", subtype: "init" }, limit, failure, result].map((line) => JSON.stringify(line));
  const claude = join(world, "claude");
  const script = `#!/bin/sh
if [ -f begun ]; then date +%s%3N > again; exit 9; fi
touch begun
cat <<'END'
${lines.join("\n")}
END
exit 1
`;
  writeFileSync(claude, script, { mode: 0o755 });
  const child = Bun.spawn([executable, "run", "Do it"], {
    env: { ...env, HOME: world, CCLAUDE_CLAUDE_BIN: claude },
    cwd: project,
    stdio: ["ignore", "ignore", "ignore"],
  });
  await child.exited;
  const again = Number(readFileSync(join(project, "again"), "utf8"));
  rmSync(world, { recursive: true });
  return again - resetsAt * 1000;
}

const context: RunContext = { ...plainContext, random: 0.5, firstDelay: 10_000, unknownLimit: hour };

/** The decision of a real run. */
function wakeAt(hit: number, reset: number): number {
  const working: RunState = { phase: "working", until: null, cause: null, fruitless: 0, restores: 0 };
  const end = { kind: "limit", resetsAt: reset } as const;
  const { state } = transition(working, { kind: "ended", end, progress: true }, { ...context, now: hit });
  return state.until ?? Number.NaN;
}

/** Milliseconds between reset and next try per day, with two limits that are each hit at any point of their window. */
function lostPerDay(wake: (hit: number, reset: number) => number): number {
  let lost = 0;
  for (let day = 0; day < days; day++) {
    for (const share of [(day * 0.618_034) % 1, (day * 0.754_878) % 1]) {
      const hit = share * 5 * hour;
      lost += wake(hit, 5 * hour) - 5 * hour;
    }
  }
  return lost / days;
}
