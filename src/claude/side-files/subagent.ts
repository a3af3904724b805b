import type { SubagentEnding } from "../../core/restart/dead-subagent.ts";
import type { FinalError } from "../../core/restart/final-error.ts";
import { aboutCall } from "../hooks/finished-call.ts";
import { asObject, asText, type JsonObject, parseObject } from "../json-object.ts";
import { classifyError, type Clock } from "../limits/api-error.ts";
import { messageBlocks } from "../message-blocks.ts";
import { writtenFile } from "../stream/tool-subject.ts";
import { plainText } from "../transcript/plain-text.ts";
import { errorFacts, textOf } from "../transcript/transcript-ending.ts";

// Every client since 2.1.36 writes the transcript of a subagent to `<session>/subagents/agent-<id>.jsonl`; since 2.1.197 there is
// also `agent-<id>.meta.json`.

/** The id in the name of a transcript. Names with a word in them belong to the client's own helpers, such as a compaction. */
export const subagentId = (name: string): string | undefined => /^agent-(a?[0-9a-f]{6,})\.jsonl$/.exec(name)?.[1];

export const metaFileOf = (transcriptPath: string): string => transcriptPath.replace(/\.jsonl$/, ".meta.json");

export interface SubagentWork {
  readonly ending: SubagentEnding;
  /** What ended it, when that was an error. */
  readonly error: FinalError | undefined;
  /** Of its last message, in milliseconds since 1970; undefined when that is unknown. */
  readonly time: number | undefined;
  readonly lastStep: string | undefined;
  readonly lastWords: string | undefined;
  /** Oldest first. */
  readonly files: readonly string[];
}

/** Reads the transcript of a subagent, whose whole lines are given newest first; undefined without a message. */
export function readSubagent(lines: Iterable<string>, clock: Clock): SubagentWork | undefined {
  let end: Pick<SubagentWork, "ending" | "error" | "time"> | undefined;
  let lastStep: string | undefined;
  let lastWords: string | undefined;
  const files = new Set<string>();
  for (const line of lines) {
    const fields = parseObject(line);
    if (fields?.["type"] !== "user" && fields?.["type"] !== "assistant") continue;
    end ??= endOf(fields, clock);
    if (fields["type"] !== "assistant" || fields["isApiErrorMessage"] === true) continue;
    for (const block of messageBlocks(fields).toReversed()) {
      const text = block["type"] === "text" ? asText(block["text"])?.trim() : undefined;
      if (text) lastWords ??= plainText(text);
      const name = block["type"] === "tool_use" ? asText(block["name"]) : undefined;
      if (name === undefined) continue;
      const input = asObject(block["input"]) ?? {};
      lastStep ??= plainText(`${name} ${aboutCall(input)}`.trim());
      const file = writtenFile(name, input);
      if (file !== undefined) files.add(file);
    }
  }
  return end && { ...end, lastStep, lastWords, files: [...files].toReversed() };
}

function endOf(fields: JsonObject, clock: Clock): Pick<SubagentWork, "ending" | "error" | "time"> {
  const time = Date.parse(asText(fields["timestamp"]) ?? "");
  const error = fields["isApiErrorMessage"] === true ? classifyError(errorFacts(fields), clock) : undefined;
  return { ending: endingOf(fields, error), error, time: Number.isNaN(time) ? undefined : time };
}

function endingOf(fields: JsonObject, error: FinalError | undefined): SubagentEnding {
  if (error) return error.kind === "limit" ? "limit" : "api-error";
  if (fields["type"] === "user")
    return textOf(fields).trim().startsWith("[Request interrupted by user") ? "stopped" : "open";
  // The client writes each block as a line of its own: a call may still follow this text.
  const isCalling = asText(asObject(fields["message"])?.["stop_reason"]) === "tool_use";
  return isCalling || messageBlocks(fields).some((block) => block["type"] === "tool_use") ? "open" : "finished";
}

/** What a subagent was started for: the description in its meta file, else its prompt, which is its first line. */
export function readSubagentTask(meta: string, firstLine: string): { task: string; type: string | null } {
  const described = parseObject(meta);
  const prompt = textOf(parseObject(firstLine) ?? {});
  return {
    task: plainText(asText(described?.["description"]) ?? prompt),
    type: asText(described?.["agentType"]) ?? null,
  };
}

/** The subagents that Claude itself stopped, by the notices in the conversation. Lines are given in any order. */
export function readStoppedSubagents(lines: Iterable<string>): Set<string> {
  const stopped = new Set<string>();
  for (const line of lines) {
    if (!line.includes("<task-notification>") || !/<status>(killed|stopped)<\/status>/.test(line)) continue;
    const id = /<task-id>([^<]+)<\/task-id>/.exec(line)?.[1];
    if (id !== undefined) stopped.add(id);
  }
  return stopped;
}
