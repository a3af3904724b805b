import type { FleetReport } from "../../app/fleet/fleet-status.ts";
import type { FleetRunView } from "../../app/fleet/fleet-queue.ts";
import { formatClock, formatDuration } from "../format.ts";
import { oneLine } from "../one-line.ts";
import type { Output } from "../output.ts";
import { type Column, renderTable } from "../table.ts";
import { shortId } from "./state-words.ts";

/** What a run of the fleet does, or waits for. */
function describeFleetRun(
  {
    state,
    worker,
    startsAt,
    waitsFor,
    outcome,
  }: Pick<FleetRunView, "state" | "worker" | "startsAt" | "waitsFor" | "outcome">,
  now: number,
): string {
  const moment = (until: number): string => `${formatClock(until, now)} (${formatDuration(until - now)})`;
  switch (state) {
    case "queued":
      return startsAt === null ? "waits for a worker" : `waits until ${moment(startsAt)}`;
    case "running":
      return `runs on ${worker ?? "?"}`;
    case "waiting":
      return waitsFor === null || startsAt === null
        ? "waits for a worker"
        : `limit of ${waitsFor} until ${moment(startsAt)}, or another account`;
    case "done":
    case "failed":
    case "stopped":
      return outcome?.why ? `${state}: ${oneLine(outcome.why)}` : state;
  }
}

const runColumns = [
  { title: "#", align: "right" },
  { title: "run" },
  { title: "state", shrinksTo: 18 },
  { title: "priority", align: "right", leavesAs: 1 },
  { title: "task", shrinksTo: 12 },
  { title: "repository", shrinksTo: 10, cuts: "start", leavesAs: 2 },
] as const satisfies readonly Column[];

export function renderFleetRuns(runs: readonly FleetRunView[], { tableWidth }: Output, now: number): string[] {
  let place = 0;
  const rows = runs.map((run) => [
    run.state === "queued" || run.state === "waiting" ? String(++place) : "",
    shortId(run.id),
    describeFleetRun(run, now),
    String(run.priority),
    oneLine(run.task),
    run.repo ?? "",
  ]);
  return renderTable([...runColumns], rows, tableWidth);
}

const workerColumns = [
  { title: "worker", shrinksTo: 10 },
  { title: "state" },
  { title: "slots", align: "right" },
  { title: "account", shrinksTo: 10 },
  { title: "labels", shrinksTo: 8, leavesAs: 1 },
] as const satisfies readonly Column[];

const accountColumns = [
  { title: "account", shrinksTo: 10 },
  { title: "quota" },
  { title: "5 hours", align: "right" },
  { title: "7 days", align: "right" },
] as const satisfies readonly Column[];

export function renderFleet(report: FleetReport, { tableWidth, colors }: Output, now: number): string[] {
  const { workers, accounts, runs, lag } = report;
  const percent = (value: number | undefined): string => (value === undefined ? "" : `${Math.round(value)} %`);
  const table = (columns: readonly Column[], rows: string[][]): string[] => {
    const [head = "", ...body] = renderTable([...columns], rows, tableWidth);
    return [colors.dim(head), ...body, ""];
  };
  const workerRows = workers.map(({ name, state, busy, slots, account, labels, silentMs }) => [
    name,
    state === "lost" ? `lost, seen ${formatDuration(silentMs)} ago` : state,
    `${busy}/${slots}`,
    account,
    labels.join(","),
  ]);
  const accountRows = accounts.map(({ name, limitedUntil, usage }) => [
    name,
    limitedUntil === null ? "yes" : `limit until ${formatClock(limitedUntil, now)}`,
    percent(usage.five_hour?.percent),
    percent(usage.seven_day?.percent),
  ]);
  const counts = Object.entries(runs).map(([state, count]) => `${count} ${state}`);
  return [
    ...(workers.length > 0 ? table(workerColumns, workerRows) : ["No worker."]),
    ...(accounts.length > 0 ? table(accountColumns, accountRows) : []),
    `runs: ${counts.length > 0 ? counts.join(", ") : "none"}`,
    `lag of this machine: ${lag.waiting === 0 ? "none" : `${lag.waiting} not in the hub yet, the oldest for ${formatDuration(lag.oldestMs)}`}`,
  ];
}
