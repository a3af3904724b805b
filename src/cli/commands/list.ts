import { type Generation, listMarks, type Timeline } from "../../app/timeline.ts";
import { formatBytes, formatCount, formatDuration, formatTime } from "../format.ts";
import { oneLine } from "../one-line.ts";
import type { Output } from "../output.ts";
import { renderTable } from "../table.ts";
import { commonArgs, defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "shows a session's timeline: every mark that can be restored",
  args: {
    session: { type: "positional", required: false, description: "id or its beginning; unsaid: the newest one here" },
    ...commonArgs,
  },
  examples: [
    ["session-snapshot list", "the newest session of this directory"],
    ["session-snapshot list 1b9d6bcd --json", "for a script"],
  ],
  async run(args, output) {
    const timeline = listMarks(process.env, args.session, process.cwd());
    if (output.mode === "json") output.json(jsonOf(timeline));
    else output.data(render(timeline, output).join("\n"));
  },
});

function jsonOf({ sessionId, generations }: Timeline): object {
  return {
    session: sessionId,
    generations: generations.map(({ number, size, ended }) => ({
      generation: number,
      size,
      ended: ended ? { time: new Date(ended.at).toISOString(), why: ended.why } : null,
    })),
    marks: generations.flatMap(({ number, marks }) =>
      marks.map((mark) => ({ ...mark, time: new Date(mark.time).toISOString(), generation: number })),
    ),
  };
}

const barWidth = 10;

function render({ sessionId, transcriptPath, generations, window, now }: Timeline, output: Output): string[] {
  const { bold, dim } = output.colors;
  const marks = generations.flatMap((generation) => generation.marks);
  const rows = marks.map((mark) => [
    String(mark.n),
    formatTime(mark.time, now),
    mark.reason,
    formatBytes(mark.size),
    contextBar(mark.contextTokens, window),
    mark.lastStep ?? "",
  ]);
  // One table over all generations, so that their columns stand below each other.
  const [head = "", ...body] = renderTable(columns, rows, output.width);
  const lines = [`${bold(sessionId)}  ${dim(oneLine(transcriptPath))}`, dim(head)];
  for (const generation of generations) {
    if (generations.length > 1) lines.push(describeGeneration(generation, now, output));
    lines.push(...body.splice(0, generation.marks.length));
  }
  return lines;
}

function describeGeneration({ number, size, ended }: Generation, now: number, { colors }: Output): string {
  const how = ended ? `${ended.why} ${formatDuration(now - ended.at)} ago; kept` : "present";
  return `${(ended ? colors.yellow : colors.bold)(`generation ${number}`)}  ${formatBytes(size)}  ${how}`;
}

const columns = [
  { title: "mark", align: "right" },
  { title: "time" },
  { title: "reason", leavesAs: 2 },
  { title: "size", align: "right", leavesAs: 3 },
  { title: "context", leavesAs: 1 },
  { title: "last step", shrinksTo: 8 },
] as const;

function contextBar(tokens: number | null, window: number): string {
  if (tokens === null) return `${"·".repeat(barWidth)}    ?`;
  const filled = Math.min(barWidth, Math.max(1, Math.round((tokens / window) * barWidth)));
  return `${"█".repeat(filled)}${"░".repeat(barWidth - filled)} ${formatCount(tokens).padStart(4)}`;
}
