import { listHubSessions } from "../../../app/hub/list-sessions.ts";
import { formatBytes, formatDuration } from "../../format.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";
import { renderTable } from "../../table.ts";

const defaultLimit = 50;

export default defineVerb({
  summary: "lists the sessions of all machines, newest first",
  args: {
    limit: { type: "string", valueHint: "number", description: `how many; default: ${defaultLimit}` },
    ...commonArgs,
  },
  examples: [["ai-runtime hub list", "shows what cclaude --resume finds on any machine"]],
  async run(args, output, { environment }) {
    const limit = Math.max(1, Math.trunc(Number(args.limit ?? defaultLimit)) || defaultLimit);
    const sessions = await listHubSessions(environment, limit);
    if (output.mode === "json") return output.json({ sessions });
    const rows = sessions.map(({ id, machine, isThisMachine, held, updated, bytes, directory, title }) => [
      id,
      `${machine}${isThisMachine ? " (this)" : ""}${held ? ", open" : ""}`,
      `${formatDuration(Math.max(0, environment.now() - updated))} ago`,
      formatBytes(bytes),
      directory ?? "",
      title ?? "",
    ]);
    output.data(renderTable(columns, rows, output.tableWidth).join("\n"));
  },
});

const columns = [
  { title: "session" },
  { title: "machine", shrinksTo: 10 },
  { title: "changed", align: "right" },
  { title: "size", align: "right" },
  { title: "directory", shrinksTo: 12 },
  { title: "title", shrinksTo: 12 },
] as const;
