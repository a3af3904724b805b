import { cleanHub, planCleanHub } from "../../../app/hub/clean-hub.ts";
import { Failure } from "../../../core/failure.ts";
import { exitCodes } from "../../exit-codes.ts";
import { formatBytes, formatDuration } from "../../format.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";
import { renderTable } from "../../table.ts";

export default defineVerb({
  summary: "removes sessions from the hub; copies on machines stay",
  details: "A machine that still has such a session sends it again when the session changes.",
  args: {
    session: { type: "string", valueHint: "id", description: "this session" },
    "older-than": {
      type: "string",
      valueHint: "age",
      description: "sessions that have not changed for this long, such as 90d",
    },
    "dry-run": { type: "boolean", description: "only show what would be removed" },
    yes: { type: "boolean", alias: "y", description: "do not ask" },
    ...commonArgs,
  },
  examples: [["ai-runtime hub clean --older-than 180d", "asks, then removes"]],
  async run(args, output, { environment }) {
    const sessions = await planCleanHub(environment, { session: args.session, olderThan: args["older-than"] });
    if (sessions.length === 0) throw new Failure("not-found", "the hub has no session to remove");
    const total = `${sessions.length} ${sessions.length === 1 ? "session" : "sessions"}, ${formatBytes(sessions.reduce((sum, { bytes }) => sum + bytes, 0))}`;
    const now = environment.now();
    const rows = sessions.map(({ id, title, bytes, updated }) => [
      id,
      formatBytes(bytes),
      formatDuration(Math.max(0, now - updated)),
      title ?? "",
    ]);
    if (args["dry-run"] === true) {
      if (output.mode === "json") return output.json({ sessions, removed: 0 });
      return output.data([...renderTable(columns, rows, output.tableWidth), "", total].join("\n"));
    }
    if (args.yes !== true) {
      output.note([...renderTable(columns, rows, output.tableWidth), ""].join("\n"));
      if (!(await output.confirm(`Remove ${total} from the hub?`))) {
        output.note("Nothing was removed. Without a terminal, add --yes.");
        return exitCodes.stopped;
      }
    }
    const removed = await cleanHub(
      environment,
      sessions.map(({ id }) => id),
    );
    if (output.mode === "json") output.json({ sessions, removed });
    else output.success(`Removed ${removed} from the hub.`);
    return removed < sessions.length ? exitCodes.partial : exitCodes.done;
  },
});

const columns = [
  { title: "session" },
  { title: "size", align: "right" },
  { title: "unchanged for", align: "right" },
  { title: "title", shrinksTo: 12 },
] as const;
