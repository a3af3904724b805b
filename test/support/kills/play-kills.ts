// Plays one task with several kills at drawn moments, and counts steps that were repeated or skipped.
import { appendFileSync } from "node:fs";
import { fakeAnthropic } from "../anthropic/fake-anthropic.ts";
import { story } from "../anthropic/scenario.ts";
import type { ClaudeVersion } from "../sandbox/claude-versions.ts";
import { installedSandbox } from "../sandbox/installed-sandbox.ts";
import { allSteps, CarefulModel, stepCount } from "./careful-model.ts";
import { KillWorld, type Mode, type Remains, type TranscriptDamage } from "./kill-world.ts";

export interface KillPlan {
  readonly version: ClaudeVersion;
  readonly mode: Mode;
  readonly kills: number;
  readonly seed: number;
}

export interface KillReport {
  /** What was killed, when, and what happened to the transcript. */
  readonly moments: readonly string[];
  /** Steps that ran again although they were known to have completed: "step 7 after moment 2". */
  readonly repeated: readonly string[];
  /** Steps that ran again, and that no hook had recorded before the kill. */
  readonly unknown: readonly string[];
  readonly skipped: readonly number[];
}

const triggers = ["called", "executed", "recorded", "written"] as const;
const damages: readonly TranscriptDamage[] = ["none", "none", "deleted", "torn", "nul-filled"];
const maxOffsetMs = { called: 150, executed: 80, recorded: 60, written: 60 };
/** The next kill comes this many steps after the last executed one, at most. */
const maxStepsAhead = 4;

export async function playKills(plan: KillPlan): Promise<KillReport> {
  const draw = drawFrom(plan.seed);
  const choose = <T>(values: readonly T[]): T => values[Math.floor(draw() * values.length)] as T;
  await using sandbox = await installedSandbox(plan.version);
  await sandbox.trustProject();
  const model = new CarefulModel();
  await using api = await fakeAnthropic(story().answers(model.reply, { times: Infinity }));
  const world = new KillWorld(sandbox, api, plan.mode);
  const moments: { readonly text: string; readonly remains: Remains }[] = [];
  await world.start();
  while (moments.length < plan.kills) {
    const reached = allSteps.findLast((step) => (world.executed().get(step) ?? 0) > 0) ?? 0;
    const target = reached + 1 + Math.floor(draw() * maxStepsAhead);
    if (target >= stepCount) break;
    const trigger = choose(triggers);
    await world.until(
      () => hasCome(world, model, trigger, target),
      `${JSON.stringify(plan)}: step ${target} ${trigger}`,
    );
    const offset = Math.floor(draw() * maxOffsetMs[trigger]);
    await Bun.sleep(offset);
    if (model.isFinished) break;
    const who = choose(["claude", "everything"] as const);
    const damage = who === "everything" ? choose(damages) : "none";
    const remains = who === "claude" ? await world.killClaude() : await world.killEverything();
    if (who === "everything") {
      await world.damage(damage);
      await world.recover();
    }
    moments.push({ text: `${who}, ${offset} ms after step ${target} was ${trigger}, transcript ${damage}`, remains });
  }
  await world.until(() => model.isFinished, "the end of the task");
  const report = judge(moments, world.executed());
  const file = process.env["KILL_REPORT"];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ ...plan, ...report })}\n`);
  return report;
}

async function hasCome(
  world: KillWorld,
  model: CarefulModel,
  trigger: (typeof triggers)[number],
  step: number,
): Promise<boolean> {
  switch (trigger) {
    case "called":
      return model.called >= step;
    case "executed":
      return (world.executed().get(step) ?? 0) > 0;
    case "recorded":
      return world.known().has(step);
    case "written":
      return world.hasWritten(`"content":"done-${String(step).padStart(2, "0")}`);
  }
}

function judge(
  moments: readonly { readonly text: string; readonly remains: Remains }[],
  executed: ReadonlyMap<number, number>,
): KillReport {
  const again = moments.flatMap(({ text, remains }, index) => {
    const after = moments[index + 1]?.remains.executed ?? executed;
    return allSteps
      .filter((step) => (remains.executed.get(step) ?? 0) > 0)
      .filter((step) => (after.get(step) ?? 0) > (remains.executed.get(step) ?? 0))
      .map((step) => ({ isKnown: remains.known.has(step), text: `step ${step} after moment ${index + 1}: ${text}` }));
  });
  return {
    moments: moments.map(({ text }) => text),
    repeated: again.filter(({ isKnown }) => isKnown).map(({ text }) => text),
    unknown: again.filter(({ isKnown }) => !isKnown).map(({ text }) => text),
    skipped: allSteps.filter((step) => (executed.get(step) ?? 0) === 0),
  };
}

/** Mulberry32: the same numbers for the same seed. */
function drawFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
