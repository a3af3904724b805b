import { asText } from "../json-object.ts";
import { type ConversationEntry, type Part, readLine } from "./conversation-entry.ts";
import { plainText } from "./plain-text.ts";
import { titleIn } from "./session-title.ts";

/** One text of a transcript that can be searched for. */
export interface SearchableText {
  readonly role: "user" | "claude" | "tool";
  readonly kind: "prompt" | "answer" | "summary" | "error" | "title" | "call" | "result" | "output";
  readonly text: string;
  /** The tool, for a call. */
  readonly tool?: string;
  /** Claude's id of the call, for a call and its result. */
  readonly callId?: string;
  /** For a result: whether the call failed. */
  readonly failed?: boolean;
}

export interface SearchableEntry {
  /** Absent for a title. */
  readonly uuid: string | undefined;
  readonly time: number | undefined;
  readonly texts: readonly SearchableText[];
}

/** Lines that hold no words of the conversation are most of a transcript's bytes: they are recognized without parsing them. */
const bookkeeping = /^\{"type":"(?!user"|assistant"|system"|attachment"|summary"|custom-title"|ai-title")/;
const plainAttachment = /"attachment":\{"type":"(?!queued_command")/;
const title = /^\{"type":"(?:summary|custom-title|ai-title)"/;
/** As many characters of a line as `isBookkeepingHead` needs. */
export const headLength = 300;

export const isBookkeepingHead = (head: string): boolean => bookkeeping.test(head) || plainAttachment.test(head);

/** What can be found in a line of a transcript; undefined when it is nothing. */
export function readSearchable(line: string): SearchableEntry | undefined {
  const head = line.slice(0, headLength);
  if (isBookkeepingHead(head)) return undefined;
  if (title.test(head)) return titleEntry(line);
  const reading = readLine(line, { sidechains: true });
  if (reading.kind !== "entry") return undefined;
  const { uuid, time } = reading.entry;
  const texts = reading.entry.parts.flatMap((part) => textOf(part, reading.entry) ?? []);
  return texts.length === 0 ? undefined : { uuid, time, texts };
}

function titleEntry(line: string): SearchableEntry | undefined {
  const text = titleIn([line]);
  return text ? { uuid: undefined, time: undefined, texts: [{ role: "claude", kind: "title", text }] } : undefined;
}

function textOf(part: Part, { speaker }: ConversationEntry): SearchableText | undefined {
  switch (part.kind) {
    case "text":
      return speaker === "claude"
        ? { role: "claude", kind: "answer", text: part.text }
        : { role: "user", kind: "prompt", text: part.text };
    case "summary":
      return { role: "claude", kind: "summary", text: part.text };
    case "error":
      return { role: "claude", kind: "error", text: part.text };
    case "call":
      return { role: "tool", kind: "call", text: describeInput(part.input), tool: part.name, callId: part.id };
    case "result":
      return { role: "tool", kind: "result", text: part.text, callId: part.id, failed: part.failed };
    case "output":
      return { role: "tool", kind: "output", text: part.text };
    case "compaction":
      return undefined;
  }
}

/** The most telling fields first; then everything else that is text, however deep. */
const firstFields = ["command", "file_path", "notebook_path", "path", "pattern", "url", "query"];

function describeInput(input: Readonly<Record<string, unknown>>): string {
  const first = firstFields.flatMap((key) => asText(input[key]) ?? []);
  const rest = Object.entries(input).filter(([key]) => !firstFields.includes(key));
  return plainText([...first, ...rest.flatMap(([, value]) => textsIn(value))].join("\n"));
}

/** Deeper input is not something that a user remembers, and could be made to exhaust the stack. */
const maxInputDepth = 20;

function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null || depth >= maxInputDepth) return [];
  return Object.values(value).flatMap((each) => textsIn(each, depth + 1));
}

/** The exit status that Claude notes at the beginning of a failed command's result. */
export const exitStatusOf = (result: string): number | undefined => {
  const found = /^(?:Error: )?Exit code (\d{1,3})\b/.exec(result)?.[1];
  return found === undefined ? undefined : Number(found);
};
