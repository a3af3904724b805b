import type { RehomePlan } from "../../app/rehome/rehome.ts";
import { oneLine } from "../one-line.ts";

/** How many records of each kind follow. */
interface RehomeCounts {
  readonly sessions: number;
  readonly snapshots: number;
  readonly fileMarks: number;
  readonly checkpoints: number;
  readonly runs: number;
  readonly services: number;
}

export function countRehome({ sessions, steps }: Pick<RehomePlan, "sessions" | "steps">): RehomeCounts {
  const edited = (kind: string): number =>
    new Set(steps.flatMap((step) => (step.kind === "edit" && step.record === kind ? [JSON.stringify(step.owner)] : [])))
      .size;
  return {
    sessions: sessions.length,
    snapshots: edited("snapshot"),
    fileMarks: steps.filter((step) => step.kind === "move" && step.owner.kind === "tree").length,
    checkpoints: edited("checkpoint"),
    runs: edited("run"),
    services: edited("service"),
  };
}

export function describeCounts(counts: RehomeCounts): string {
  const words: readonly (readonly [number, string, string])[] = [
    [counts.sessions, "session", "sessions"],
    [counts.snapshots, "snapshot", "snapshots"],
    [counts.fileMarks, "store of file marks", "stores of file marks"],
    [counts.checkpoints, "checkpoint", "checkpoints"],
    [counts.runs, "run", "runs"],
    [counts.services, "service", "services"],
  ];
  const named = words.flatMap(([count, one, many]) => (count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]));
  return named.join(", ") || "Claude's notes";
}

export const describeLeft = ({ left }: RehomePlan): string[] =>
  left.map(({ path, why }) => `Left behind: ${oneLine(path)} (${oneLine(why)})`);

export const jsonOfPlan = (plan: RehomePlan): object => ({
  from: plan.move.from,
  to: plan.move.to,
  sessions: plan.sessions.map(({ sessionId, from, to }) => ({ session: sessionId, from, to })),
  counts: countRehome(plan),
  left: plan.left,
});
