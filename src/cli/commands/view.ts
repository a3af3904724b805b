import { currentEnvironment } from "../../app/environment.ts";
import { markChoice } from "../../app/mark-choice.ts";
import { type ConversationView, type Piece, viewConversation } from "../../app/view.ts";
import { showInPager } from "../../app/pager.ts";
import { formatBytes, formatTime } from "../format.ts";
import { oneLine } from "../one-line.ts";
import { joinPieces, painter } from "../paint-markdown.ts";
import { printChunks } from "../print-chunks.ts";
import { defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "shows a conversation as Markdown: prompts, answers, tool calls and their results",
  details: `On a terminal it is shown in $PAGER, or less -R. Long results are cut, and say by how much. What Claude thought,
the work of subagents, and branches that were left by /rewind are not shown.`,
  args: {
    session: { type: "positional", required: false, description: "id or its beginning; unsaid: the newest one here" },
    to: {
      type: "string",
      valueHint: "mark",
      description: "as it was at a mark: its number, 10m (ago), 14:05, or fit; unsaid: as it is now",
    },
    full: { type: "boolean", description: "cut nothing" },
    plain: { type: "boolean", description: "no pager, no colours, no wrapping" },
  },
  examples: [
    ["session-snapshot view", "the newest conversation of this directory"],
    ["session-snapshot view 1b9d6bcd --to 3", "what restore --to 3 would bring back"],
    ["session-snapshot view 1b9d6bcd --full > session.md", "everything, into a file"],
  ],
  async run(args, output) {
    const environment = currentEnvironment(process.env);
    const now = environment.now();
    const view = viewConversation(environment, {
      session: args.session,
      cwd: process.cwd(),
      choice: args.to === undefined ? undefined : markChoice(args.to, now),
      full: args.full === true,
      showTime: (time, before) => formatTime(time, before ?? now),
    });
    const onTerminal = output.isTerminal && args.plain !== true;
    const paint = onTerminal ? painter(output.colors, Math.min(output.width, widest)) : (piece: Piece) => piece.text;
    const pieces = [...heading(view, now), ...view.pieces];
    if (onTerminal && (await showInPager(joinPieces(pieces, paint), process.env))) return;
    await printChunks(process.stdout, joinPieces(pieces, paint));
  },
});

/** Longer lines of prose are hard to read, however wide the terminal. */
const widest = 110;

function heading({ sessionId, path, size, mark, longerMark, unreadable }: ConversationView, now: number): Piece[] {
  const what = mark ? `mark ${mark.n} of ${formatTime(mark.time, now)}, ${mark.reason}` : path;
  const notes = [`${oneLine(what)} · ${formatBytes(size)}`];
  if (longerMark) {
    notes.push(
      `The snapshot has more than the transcript (${formatBytes(longerMark.size)}): see it with --to ${longerMark.n}.`,
    );
  }
  if (unreadable > 0) notes.push(`${unreadable} ${unreadable === 1 ? "line" : "lines"} could not be read.`);
  return [{ style: "user", text: `# Session ${sessionId}` }, ...notes.map((text): Piece => ({ style: "note", text }))];
}
