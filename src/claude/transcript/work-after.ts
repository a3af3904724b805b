import type { WorkAfter } from "../../core/host/host-line.ts";
import { asText } from "../json-object.ts";
import { readLine } from "./conversation-entry.ts";
import { isPrompt, writtenFile } from "./digest.ts";

/** How much was done in these transcript lines, given oldest first, and the user's last prompt in them. */
export function measureWork(lines: Iterable<string>): WorkAfter & { readonly lastPrompt: string | null } {
  const files = new Set<string>();
  let turns = 0;
  let commands = 0;
  let lastPrompt: string | null = null;
  for (const line of lines) {
    const reading = readLine(line);
    if (reading.kind !== "entry") continue;
    const { speaker, parts } = reading.entry;
    for (const part of parts) {
      if (part.kind === "text" && speaker === "user" && isPrompt(part.text)) {
        turns++;
        lastPrompt = part.text;
      }
      if (part.kind !== "call") continue;
      const file = writtenFile(part);
      if (file !== undefined) files.add(file);
      if (asText(part.input["command"]) !== undefined) commands++;
    }
  }
  return { turns, files: files.size, commands, lastPrompt };
}
