import type { Digest } from "../../core/restart/context-message.ts";
import { type Part, readLine } from "./conversation-entry.ts";
import { asText } from "../json-object.ts";

const maxEntries = { files: 30, commands: 15 };
const maxLength = { command: 200, message: 1_500, prompt: 2_000 };
const writingTools = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);

/** Starts our own message to Claude after a restore, which is not a prompt of the user. */
const restoreMessageStart = "[AI-RUNTIME CONTEXT RESTORED]";

/** Commands of the client that ask Claude for nothing: a user at a full conversation tries them after the real prompt. */
const clientCommand = /^\/(compact|context|exit|quit)(\s|$)/;

/** Whether the user asked Claude for something. */
export const isPrompt = (text: string): boolean => !text.startsWith(restoreMessageStart) && !clientCommand.test(text);

/** Summarizes what happened in these transcript lines, given oldest first. */
export function digestLines(lines: Iterable<string>): Digest {
  const files = new Set<string>();
  const commands = new Map<string, Digest["commands"][number]>();
  let prompt: string | undefined;
  let lastWords: string | undefined;
  for (const line of lines) {
    const reading = readLine(line);
    if (reading.kind !== "entry") continue;
    const { speaker, parts } = reading.entry;
    for (const part of parts) {
      if (part.kind === "text" && speaker === "user" && isPrompt(part.text))
        prompt = shorten(part.text, maxLength.prompt);
      if (part.kind === "text" && speaker === "claude") lastWords = shorten(part.text, maxLength.message);
      if (part.kind === "call") noteCall(part, files, commands);
      if (part.kind === "result") noteResult(part, commands);
    }
  }
  return {
    prompt,
    files: [...files].slice(-maxEntries.files),
    commands: [...commands.values()].slice(-maxEntries.commands),
    lastWords,
  };
}

export function joinDigests(earlier: Digest, later: Digest): Digest {
  return {
    prompt: later.prompt ?? earlier.prompt,
    files: [...new Set([...earlier.files, ...later.files])].slice(-maxEntries.files),
    commands: [...earlier.commands, ...later.commands].slice(-maxEntries.commands),
    lastWords: later.lastWords ?? earlier.lastWords,
  };
}

/** The file that this tool call edits. */
export function writtenFile({
  name,
  input,
}: Pick<Extract<Part, { kind: "call" }>, "name" | "input">): string | undefined {
  return writingTools.has(name) ? (asText(input["file_path"]) ?? asText(input["notebook_path"])) : undefined;
}

function noteCall(
  { id, name, input }: Extract<Part, { kind: "call" }>,
  files: Set<string>,
  commands: Map<string, Digest["commands"][number]>,
): void {
  const file = writtenFile({ name, input });
  if (file !== undefined) files.add(file);
  const command = asText(input["command"]);
  if (command !== undefined) {
    const flat = shorten(command.replace(/\s+/g, " ").trim(), maxLength.command);
    commands.set(id, { command: flat, outcome: "unknown" });
  }
}

function noteResult(
  { id, failed }: Extract<Part, { kind: "result" }>,
  commands: Map<string, Digest["commands"][number]>,
): void {
  const called = commands.get(id);
  if (called) commands.set(id, { ...called, outcome: failed ? "failed" : "succeeded" });
}

function shorten(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}
