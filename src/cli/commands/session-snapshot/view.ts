import type { Environment } from "../../../app/environment.ts";
import { describeChange, listFileMarks } from "../../../app/files/file-timeline.ts";
import { restoreChoice } from "../../../app/snapshot/restore-choice.ts";
import { type Aside, type ConversationView, type MarkdownBlock, viewConversation } from "../../../app/snapshot/view.ts";
import { showInPager } from "../../../app/snapshot/pager.ts";
import { formatBytes, formatTime } from "../../format.ts";
import { reasonOf } from "../../messages/file-messages.ts";
import { oneLine } from "../../one-line.ts";
import { joinPieces, painter } from "../../messages/paint-markdown.ts";
import { printChunks } from "../../print-chunks.ts";
import { defineVerb, sessionArg } from "../../programs/verb.ts";

export default defineVerb({
  summary: "shows a conversation as Markdown: prompts, answers, tool calls and their results",
  details: `On a terminal, it uses $PAGER or less -R. Long results are cut, and the text says by how much. Claude's thinking,
the work of subagents, and branches abandoned with /rewind are not shown.`,
  args: {
    session: sessionArg,
    to: {
      type: "string",
      valueHint: "point",
      description: "as it was then: number of a mark, t12 (end of turn 12), 10m (ago), 14:05, fit; default: now",
    },
    from: { type: "string", valueHint: "point", description: "only what came after this point" },
    around: { type: "string", valueHint: "entry", description: "only the turn with this entry, as search names it" },
    full: { type: "boolean", description: "cut nothing" },
    plain: { type: "boolean", description: "no pager, no colors, no wrapping" },
  },
  examples: [
    ["session-snapshot view", "shows the newest conversation of this directory"],
    ["session-snapshot view 1b9d6bcd --to 3", "shows what restore --to 3 would restore"],
    ["session-snapshot view 1b9d6bcd --from t4 --to t6", "shows the turns 5 and 6"],
    ["session-snapshot view 1b9d6bcd --full > session.md", "writes everything to a file"],
  ],
  async run(args, output, { environment }) {
    const now = environment.now();
    let asides: Aside[] = [];
    const view = viewConversation(environment, {
      session: args.session,
      cwd: process.cwd(),
      choice: args.to === undefined ? undefined : restoreChoice(args.to, now),
      from: args.from === undefined ? undefined : restoreChoice(args.from, now),
      around: args.around,
      full: args.full === true,
      showTime: (time, before) => formatTime(time, before ?? now),
      asides: () => asides,
    });
    asides = await fileAsides(environment, view);
    const onTerminal = output.isTerminal && args.plain !== true;
    const paint = onTerminal
      ? painter(output.colors, Math.min(output.width, maxTextWidth))
      : (piece: MarkdownBlock) => piece.text;
    const pieces = [...heading(view, now), ...view.pieces];
    if (onTerminal && (await showInPager(joinPieces(pieces, paint), process.env))) return;
    await printChunks(process.stdout, joinPieces(pieces, paint));
  },
});

/** Which step changed what: the file marks, where they were taken. */
async function fileAsides(environment: Environment, { sessionId, point }: ConversationView): Promise<Aside[]> {
  const marks = await listFileMarks(environment, sessionId);
  return marks
    .filter(({ time, change }) => change.files > 0 && time <= (point?.time ?? Infinity))
    .map((mark) => ({ time: mark.time, text: `files: f${mark.n} ${describeChange(mark.change)} · ${reasonOf(mark)}` }));
}

/** Longer lines of prose are hard to read, even on a wide terminal. */
const maxTextWidth = 110;

function heading(
  { sessionId, path, size, mark, point, longerMark, unreadable }: ConversationView,
  now: number,
): MarkdownBlock[] {
  const time = point?.time == null ? "" : ` at ${formatTime(point.time, now)}`;
  const what = mark
    ? `mark ${mark.n} of ${formatTime(mark.time, now)}, ${mark.reason}`
    : point
      ? `turn ${point.turn}${time}`
      : path;
  const notes = [`${oneLine(what)} · ${formatBytes(size)}`];
  if (longerMark) {
    notes.push(
      `The snapshot has more than the transcript (${formatBytes(longerMark.size)}): see it with --to ${longerMark.n}.`,
    );
  }
  if (unreadable > 0) notes.push(`${unreadable} ${unreadable === 1 ? "line" : "lines"} could not be read.`);
  return [
    { style: "user", text: `# Session ${sessionId}` },
    ...notes.map((text): MarkdownBlock => ({ style: "note", text })),
  ];
}
