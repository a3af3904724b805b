import { describeChange, type ListedFileMark, listFileMarks } from "../../../app/files/file-timeline.ts";
import { type Generation, listMarks, type Timeline } from "../../../app/snapshot/timeline.ts";
import { formatBytes, formatCount, formatDuration, formatTime } from "../../format.ts";
import { jsonOfFileMark, reasonOf } from "../../messages/file-messages.ts";
import { oneLine } from "../../one-line.ts";
import type { Output } from "../../output.ts";
import { renderTable, truncate } from "../../table.ts";
import { commonArgs, defineVerb, sessionArg } from "../../programs/verb.ts";

export default defineVerb({
  summary: "shows the timeline of a session: every mark that can be restored",
  args: {
    session: sessionArg,
    ...commonArgs,
  },
  examples: [
    ["session-snapshot list", "shows the newest session of this directory"],
    ["session-snapshot list 1b9d6bcd --json", "prints the marks for a script"],
  ],
  async run(args, output, { environment }) {
    const timeline = listMarks(process.env, args.session, process.cwd());
    const fileMarks = await listFileMarks(environment, timeline.sessionId);
    if (output.mode === "json") output.json({ ...jsonOf(timeline), fileMarks: fileMarks.map(jsonOfListed) });
    else output.data(render(timeline, fileMarks, output).join("\n"));
  },
});

function jsonOf({ sessionId, title, generations }: Timeline): object {
  return {
    session: sessionId,
    title,
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

const jsonOfListed = (mark: ListedFileMark): object => ({ ...jsonOfFileMark(mark), ...mark.change });

const barWidth = 10;

interface Row {
  time: number;
  cells: string[];
}

function render(
  { sessionId, title, transcriptPath, generations, window, now }: Timeline,
  fileMarks: readonly ListedFileMark[],
  output: Output,
): string[] {
  const { bold, dim } = output.colors;
  // A file mark that was taken with a mark of the transcript shares its row.
  const together = new Map(fileMarks.flatMap((each) => (each.mark === null ? [] : [[each.mark, each] as const])));
  const groups = generations.map(({ marks, ended }, at): Row[] => {
    const from = generations[at - 1]?.ended?.at ?? 0;
    const own = marks.map((mark) => ({ time: mark.time, cells: rowOf(mark, together.get(mark.n), window, now) }));
    const alone = fileMarks
      .filter(({ mark, time }) => mark === null && time >= from && time < (ended?.at ?? Infinity))
      .map((mark) => ({ time: mark.time, cells: fileRowOf(mark, now) }));
    return [...own, ...alone].sort((a, b) => a.time - b.time);
  });
  const rows = groups.flat().map(({ cells }) => cells);
  // One table for all generations, so that their columns are aligned.
  const shown = columns.filter(({ title }) => title !== "files" || fileMarks.length > 0);
  const cells = rows.map((row) => row.filter((_, at) => shown.some((column) => column === columns[at])));
  const [head = "", ...body] = renderTable(shown, cells, output.tableWidth);
  const lines = [
    ...(title === null ? [] : [truncate(oneLine(title), output.tableWidth)]),
    `${bold(sessionId)}  ${dim(oneLine(transcriptPath))}`,
    dim(head),
  ];
  generations.forEach((generation, at) => {
    if (generations.length > 1) lines.push(describeGeneration(generation, now, output));
    lines.push(...body.splice(0, groups[at]?.length ?? 0));
  });
  return lines;
}

function rowOf(
  mark: Generation["marks"][number],
  files: ListedFileMark | undefined,
  window: number,
  now: number,
): string[] {
  return [
    String(mark.n),
    formatTime(mark.time, now),
    mark.open ? "saved so far" : mark.reason,
    formatBytes(mark.size),
    contextBar(mark.contextTokens, window),
    files ? changeOf(files) : "",
    mark.lastStep ?? "",
  ];
}

const fileRowOf = (mark: ListedFileMark, now: number): string[] => [
  `f${mark.n}`,
  formatTime(mark.time, now),
  reasonOf(mark),
  "",
  "",
  describeChange(mark.change),
  "",
];

const changeOf = ({ n, change }: ListedFileMark): string => `f${n} ${describeChange(change)}`.trim();

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
  { title: "files" },
  { title: "last step", shrinksTo: 8 },
] as const;

function contextBar(tokens: number | null, window: number): string {
  if (tokens === null) return `${"·".repeat(barWidth)}    ?`;
  const filled = Math.min(barWidth, Math.max(1, Math.round((tokens / window) * barWidth)));
  return `${"█".repeat(filled)}${"░".repeat(barWidth - filled)} ${formatCount(tokens).padStart(4)}`;
}
