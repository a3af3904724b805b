import { makeStep, mergeSteps, type RawStep, type ToolStep } from "./tool-step.ts";

/** What the end of a transcript says about tool calls. */
export interface ShownCalls {
  /** When Claude's last message began, in milliseconds since 1970; null without one. */
  readonly answeredAt: number | null;
  /** The calls with a result. */
  readonly results: ReadonlySet<string>;
  /** The calls of Claude's last message that have no result. */
  readonly open: readonly Pick<RawStep, "id" | "tool" | "about">[];
}

/**
 * The calls that Claude must learn about, because its conversation lacks their result. Claude's last message came after the
 * results of all earlier calls, so only later calls count: a restore removed an earlier one that is missing.
 */
export function findLostSteps(steps: readonly ToolStep[], { answeredAt, results, open }: ShownCalls): ToolStep[] {
  const since = answeredAt ?? 0;
  const known = mergeSteps(steps);
  const unknown = open.filter(({ id }) => known.every((step) => step.id !== id));
  const started = unknown.map((call) => makeStep({ ...call, state: "started", output: "" }, since));
  return [...known.filter(({ id, time }) => time >= since && !results.has(id)), ...started];
}
