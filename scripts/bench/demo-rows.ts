import type { Bench, Row } from "./rows.ts";

/** Measures the whole demo at reading speed. */
export async function demoRows({ executable, home, env }: Bench): Promise<Row[]> {
  const started = performance.now();
  const demo = Bun.spawn([executable, "demo"], { env, cwd: home, stdio: ["ignore", "ignore", "ignore"] });
  if ((await demo.exited) !== 0) throw new Error("the demo failed");
  const time = performance.now() - started;
  return [
    {
      what: "the complete demo",
      timing: { fastest: time, median: time, processor: Number.NaN },
      against: "a minute",
      ratio: time / 60_000,
      target: "< 1 min",
      verdict: time < 60_000 ? "met" : "missed",
    },
  ];
}
