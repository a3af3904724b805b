import type { Digest } from "../core/context-message.ts";
import { type Part, readLine } from "./conversation-entry.ts";
import { asText } from "./json-object.ts";

const most = { files: 30, commands: 15 };
const lengths = { command: 200, words: 1_500, prompt: 2_000 };
const writers = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);

/** What we told Claude after an earlier restore: not the user's words. */
const ourWords = "[AI-RUNTIME CONTEXT RESTORED]";

/** What a stretch of a transcript did, without a model's help. Lines come oldest first. */
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
      if (part.kind === "text" && speaker === "user" && !part.text.startsWith(ourWords))
        prompt = shorten(part.text, lengths.prompt);
      if (part.kind === "text" && speaker === "claude") lastWords = shorten(part.text, lengths.words);
      if (part.kind === "call") noteCall(part, files, commands);
      if (part.kind === "result") noteResult(part, commands);
    }
  }
  return {
    prompt,
    files: [...files].slice(-most.files),
    commands: [...commands.values()].slice(-most.commands),
    lastWords,
  };
}

/** One stretch after the other. */
export function joinDigests(earlier: Digest, later: Digest): Digest {
  return {
    prompt: later.prompt ?? earlier.prompt,
    files: [...new Set([...earlier.files, ...later.files])].slice(-most.files),
    commands: [...earlier.commands, ...later.commands].slice(-most.commands),
    lastWords: later.lastWords ?? earlier.lastWords,
  };
}

function noteCall(
  { id, name, input }: Extract<Part, { kind: "call" }>,
  files: Set<string>,
  commands: Map<string, Digest["commands"][number]>,
): void {
  const file = asText(input["file_path"]) ?? asText(input["notebook_path"]);
  if (writers.has(name) && file !== undefined) files.add(file);
  const command = asText(input["command"]);
  if (command !== undefined) {
    const flat = shorten(command.replace(/\s+/g, " ").trim(), lengths.command);
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
