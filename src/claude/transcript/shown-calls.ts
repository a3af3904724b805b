import type { ShownCalls } from "../../core/restart/lost-steps.ts";
import { aboutCall } from "../hooks/finished-call.ts";
import { type ConversationEntry, type Part, readLine } from "./conversation-entry.ts";

/** Claude Code writes this as the result of a call when a conversation is resumed without one; it says nothing about the call. */
const unknownOutcome = /^\[Tool call interrupted: /;

/**
 * Reads from the end of a transcript, newest line first, which tool calls have a result. Stops when it knows about Claude's last
 * message and all the wanted calls.
 */
export function readShownCalls(lines: Iterable<string>, wanted: Iterable<string>): ShownCalls {
  const missing = new Set(wanted);
  const results = new Set<string>();
  const calls: Extract<Part, { kind: "call" }>[] = [];
  let last: ConversationEntry | undefined;
  let answeredAt: number | null = null;
  let isPast = false;
  for (const line of lines) {
    if (isPast && missing.size === 0) break;
    const reading = readLine(line);
    if (reading.kind !== "entry") continue;
    const { entry } = reading;
    for (const part of entry.parts) {
      if (part.kind !== "result" || unknownOutcome.test(part.text)) continue;
      results.add(part.id);
      missing.delete(part.id);
    }
    if (!isAnswer(entry)) continue;
    last ??= entry;
    isPast ||= entry.messageId !== last.messageId;
    if (isPast) continue;
    answeredAt = entry.time ?? answeredAt;
    calls.push(...entry.parts.filter((part) => part.kind === "call"));
  }
  const open = calls.toReversed().filter(({ id }) => !results.has(id));
  return {
    answeredAt,
    results,
    open: open.map(({ id, name, input }) => ({ id, tool: name, about: aboutCall(input) })),
  };
}

/** A message of the model, and not an error that the client wrote in its place. */
const isAnswer = ({ speaker, parts }: ConversationEntry): boolean =>
  speaker === "claude" && parts.some(({ kind }) => kind === "text" || kind === "call");
