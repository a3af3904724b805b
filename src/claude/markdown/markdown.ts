import { activeBranch } from "../transcript/active-branch.ts";
import type { ConversationEntry, Part } from "../transcript/conversation-entry.ts";
import { type TextLimits, cutText } from "./cut-text.ts";
import { closeFence, fence, inlineCode } from "./fence.ts";
import { describeToolCall } from "./tool-call.ts";

/** A part of the document. Its text is Markdown; its style tells a terminal how to color it. */
export interface MarkdownBlock {
  style: "user" | "claude" | "text" | "call" | "code" | "note" | "error";
  text: string;
  /** No empty line before it. */
  tight?: boolean;
}

/** A remark that is not part of the conversation, and when it belongs there. */
export interface Aside {
  time: number;
  text: string;
}

export interface MarkdownOptions {
  limits: TextLimits;
  /** Oldest first. */
  asides?: readonly Aside[];
  /** Only these entries; default: all of the active branch. */
  isShown?: ((entry: ConversationEntry) => boolean) | undefined;
  /** Formats a time; `before` is the last time shown, so that the day need not be repeated. */
  showTime(time: number, before: number | undefined): string;
}

/** Enough to see what happened. The transcript has the full text. */
export const readableLimits: TextLimits = { lines: 18, width: 200 };
export const noLimits: TextLimits = { lines: Infinity, width: Infinity };

type Result = Extract<Part, { kind: "result" }>;

/** The active branch of a conversation as Markdown. Entries come in the order of the file. */
export function* renderConversation(
  lines: readonly ConversationEntry[],
  { limits, showTime, asides = [], isShown }: MarkdownOptions,
): Generator<MarkdownBlock> {
  const left = [...asides];
  function* asidesUntil(time: number): Generator<MarkdownBlock> {
    for (; left[0] !== undefined && left[0].time <= time; left.shift()) yield note(left[0].text);
  }
  const { entries: all, broken, leftOut } = activeBranch(lines);
  const entries = isShown ? all.filter(isShown) : all;
  if (isShown) yield note(`${counted(all.length - entries.length, "entry", "entries")} before or after this part.`);
  if (broken)
    yield note("The lines of this transcript are not connected: all of them are shown, in the order of the file.");
  if (leftOut > 0)
    yield note(`${counted(leftOut, "message")} on abandoned branches (for example after /rewind) not shown.`);
  const parts = entries.flatMap((entry) => entry.parts);
  const calls = new Set(parts.flatMap((part) => (part.kind === "call" ? part.id : [])));
  const results = new Map(parts.flatMap((part) => (part.kind === "result" ? [[part.id, part] as const] : [])));

  let lastTime: number | undefined;
  const timeOf = ({ time }: ConversationEntry): string => {
    if (time === undefined) return "";
    const shown = ` · ${showTime(time, lastTime)}`;
    lastTime = time;
    return shown;
  };
  let speaking = false;
  for (const entry of entries) {
    if (entry.time !== undefined) yield* asidesUntil(entry.time);
    for (const part of entry.parts) {
      if (part.kind === "result" && calls.has(part.id)) continue;
      const byClaude = entry.speaker === "claude";
      if (byClaude && !speaking) yield { style: "claude", text: `## Claude${timeOf(entry)}` };
      if (part.kind === "text" && !byClaude) yield { style: "user", text: `## User${timeOf(entry)}` };
      if (part.kind !== "result") speaking = byClaude;
      if (part.kind === "call") {
        const { title, body } = describeToolCall(part.name, part.input, limits);
        yield { style: "call", text: `${title}${timeOf(entry)}` };
        if (body !== undefined) yield { style: "code", text: body, tight: true };
        yield* renderResult(results.get(part.id), limits);
      } else yield* renderPart(part, limits, () => timeOf(entry));
    }
  }
  yield* asidesUntil(Infinity);
}

function* renderPart(
  part: Exclude<Part, { kind: "call" }>,
  limits: TextLimits,
  time: () => string,
): Generator<MarkdownBlock> {
  switch (part.kind) {
    case "text":
      yield { style: "text", text: closeFence(part.text.trim()) };
      break;
    case "result":
      yield note("the result of a call that is missing");
      yield* renderResult(part, limits);
      break;
    case "output":
      yield { style: "code", text: fence(cutText(part.text, limits)) };
      break;
    case "error":
      yield { style: "error", text: `**Error:** ${closeFence(part.text.trim())}` };
      break;
    case "compaction": {
      const how = [part.trigger, part.tokens === undefined ? "" : `${part.tokens} tokens before`].filter(Boolean);
      yield {
        style: "note",
        text: `---\n\n*Context compacted${how.length > 0 ? ` (${how.join(", ")})` : ""}${time()}*`,
      };
      break;
    }
    case "summary":
      yield note("summary that Claude continues from:");
      yield { style: "text", text: quote(cutText(part.text.trim(), { ...limits, width: Infinity })), tight: true };
      break;
  }
}

function* renderResult(result: Result | undefined, limits: TextLimits): Generator<MarkdownBlock> {
  if (!result) return yield { ...note("no result"), tight: true };
  const text = result.text.replace(/\s+$/, "");
  const style = result.failed ? "error" : "note";
  const label = result.failed ? "**failed**" : "→";
  if (text === "") return yield { style, text: result.failed ? label : "*→ no output*", tight: true };
  if (!text.includes("\n") && text.length <= 160) {
    return yield { style, text: `${label} ${inlineCode(text.trim())}`, tight: true };
  }
  yield { style, text: `${label} ${counted(text.split("\n").length, "line")}`, tight: true };
  yield { style: "code", text: fence(cutText(text, limits)), tight: true };
}

const note = (text: string): MarkdownBlock => ({ style: "note", text: `*${text}*` });

const quote = (text: string): string =>
  text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");

const counted = (count: number, noun: string, plural = `${noun}s`): string => `${count} ${count === 1 ? noun : plural}`;
