// The stored transcripts stand for the real clients in other tests. Made anew by RECORD_TRANSCRIPTS=1.
import { expect, test } from "bun:test";
import { type ConversationEntry, readLine } from "../../src/claude/conversation-entry.ts";
import { noLimits, renderConversation } from "../../src/claude/markdown.ts";
import { forEachClaude } from "../support/claude-versions.ts";
import { recordConversation } from "../support/record-conversation.ts";
import { storedTranscript } from "../support/stored-transcript.ts";

function read(text: string): string {
  const entries: ConversationEntry[] = [];
  for (const line of text.split("\n").filter(Boolean)) {
    const reading = readLine(line);
    if (reading.kind === "entry") entries.push(reading.entry);
  }
  const pieces = [...renderConversation(entries, { limits: noLimits, showTime: () => "now" })];
  return pieces.map((piece) => piece.text).join("\n");
}

forEachClaude((version) => {
  test("a conversation held today reads like the stored one", async () => {
    const recorded = await recordConversation(version);
    if (process.env["RECORD_TRANSCRIPTS"]) await Bun.write(storedTranscript(version), recorded);
    expect(read(recorded)).toBe(read(await Bun.file(storedTranscript(version)).text()));
  });
});
