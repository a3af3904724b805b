import { describeDenial } from "../../app/explain-denied.ts";
import type { ListedRun, ListedRuns } from "../../app/run-records/list-runs.ts";
import { oneLine } from "../one-line.ts";
import type { Output } from "../output.ts";
import { type Column, renderTable } from "../table.ts";
import { describeState, roughDuration, shortId, shortPath, stateSince, titleOf } from "./state-words.ts";

export interface ListPlace {
  readonly home: string;
  /** The current directory, which a list does not name. */
  readonly cwd: string;
  readonly now: number;
}

/** The list of `status`: one row for each run, then hints. */
export function renderRuns(listed: ListedRuns, output: Output, place: ListPlace): string[] {
  const { runs, older, unreadable, denied } = listed;
  const { dim, yellow } = output.colors;
  const lines: string[] = [];
  if (denied) lines.push(yellow(`! ${oneLine(describeDenial(denied))}`));
  else if (runs.length === 0) lines.push('No runs yet. Start one with: ai-runtime run "<task>"');
  else {
    const isNarrow = output.tableWidth < narrowWidth;
    const rows = runs.map((run) => row(run, isNarrow, place));
    const [head = "", ...body] = renderTable(...withoutEmpty(columns, rows), output.tableWidth);
    lines.push(dim(head), ...body.map((line, index) => paintRow(line, runs[index], output)));
  }
  if (older > 0) lines.push(dim(`${older} older runs: ai-runtime status --all`));
  const died = runs.filter((run) => run.died && run.lost !== true).length;
  if (died === 1) lines.push(yellow("One run has died; resume with: ai-runtime recover"));
  else if (died > 1) lines.push(yellow(`${died} runs have died; resume with: ai-runtime recover --all`));
  for (const id of unreadable) lines.push(yellow(`! the record of run ${id} cannot be read`));
  return lines;
}

/** Below this width, the end of an id stands for it. */
const narrowWidth = 72;

const columns = [
  { title: "run" },
  { title: "state", shrinksTo: 22 },
  { title: "title", shrinksTo: 12 },
  { title: "directory", shrinksTo: 10, cuts: "start", leavesAs: 5 },
  { title: "last step", shrinksTo: 8, leavesAs: 4 },
  { title: "starts", align: "right", leavesAs: 2 },
  { title: "cost", align: "right", leavesAs: 1 },
  { title: "since", align: "right", leavesAs: 6 },
] as const satisfies readonly Column[];

/** Most runs have no cost and no last step: a column without a value takes no room. */
function withoutEmpty(all: readonly Column[], rows: readonly string[][]): [columns: Column[], rows: string[][]] {
  const used = all.map((_, index) => rows.some((cells) => cells[index] !== ""));
  return [all.filter((_, index) => used[index]), rows.map((cells) => cells.filter((_, index) => used[index]))];
}

function row(run: ListedRun, isNarrow: boolean, { home, cwd, now }: ListPlace): string[] {
  const { plan, status } = run.record;
  return [
    isNarrow ? shortId(plan.id) : plan.id,
    describeState(run, now),
    titleOf(run) || "(interactive)",
    plan.cwd === cwd ? "" : shortPath(plan.cwd, home),
    status.lastStep ?? "",
    String(status.attempts),
    status.costUsd >= 0.005 ? `$${status.costUsd.toFixed(2)}` : "",
    roughDuration(now - stateSince(run)),
  ];
}

function paintRow(line: string, run: ListedRun | undefined, { colors }: Output): string {
  if (!run) return line;
  const { phase } = run.record.status;
  const needsUser = run.hosted?.state.kind === "asking" || run.hosted?.state.kind === "context-full";
  if (run.died || phase === "failed" || needsUser) return colors.yellow(line);
  if (phase === "done" || phase === "stopped") return colors.dim(line);
  return oneLine(line) === "" ? line : colors.bold(line);
}
