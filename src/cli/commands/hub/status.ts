import { type Lag, readHubStatus, readLag } from "../../../app/hub/hub-status.ts";
import { formatBytes, formatDuration } from "../../format.ts";
import { divergedLine } from "../../messages/hub-messages.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";
import { renderTable } from "../../table.ts";

export default defineVerb({
  summary: "shows the hub, its machines, and what is not replicated yet",
  args: commonArgs,
  examples: [["ai-runtime hub status", "asks the hub"]],
  async run(_args, output, { environment }) {
    const lag = readLag(environment);
    // Said before the hub is asked: it is known even while the hub is away.
    for (const id of lag.diverged) output.warn(divergedLine(id));
    if (output.mode !== "json") output.note(lagLine(lag));
    const report = await readHubStatus(environment);
    if (output.mode === "json") return output.json({ hub: report.shown, ...report, shown: undefined, lag });
    const rows = report.machines.map(({ name, isThis, departed, seen, sessions }) => [
      name,
      isThis ? "this machine" : departed ? "left" : "",
      String(sessions),
      `${formatDuration(Math.max(0, environment.now() - seen))} ago`,
    ]);
    const lines = renderTable(columns, rows, output.tableWidth);
    output.data(
      [`${report.shown}: ${report.sessions} sessions, ${formatBytes(report.bytes)}`, "", ...lines].join("\n"),
    );
  },
});

function lagLine({ waiting, oldestMs, problem, reached }: Lag): string {
  const why = problem === null ? "" : ` The last try failed: ${problem}`;
  if (waiting === 0 && reached === 0) return `Nothing was replicated from this machine yet.${why}`;
  if (waiting === 0) return `Everything of this machine is in the hub.${why}`;
  return `Not in the hub yet: ${waiting}, the oldest for ${formatDuration(oldestMs)}.${why}`;
}

const columns = [
  { title: "machine", shrinksTo: 12 },
  { title: "" },
  { title: "sessions", align: "right" },
  { title: "seen", align: "right" },
] as const;
