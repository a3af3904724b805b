import { readHubStatus } from "../../../app/hub/hub-status.ts";
import { formatBytes, formatDuration } from "../../format.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";
import { renderTable } from "../../table.ts";

export default defineVerb({
  summary: "shows the hub, its machines, and what is not replicated yet",
  args: commonArgs,
  examples: [["ai-runtime hub status", "asks the hub"]],
  async run(_args, output, { environment }) {
    const report = await readHubStatus(environment);
    if (output.mode === "json") return output.json({ hub: report.shown, ...report, shown: undefined });
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

const columns = [
  { title: "machine", shrinksTo: 12 },
  { title: "" },
  { title: "sessions", align: "right" },
  { title: "seen", align: "right" },
] as const;
