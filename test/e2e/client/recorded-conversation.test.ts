// Other tests use the stored transcripts in place of the real clients. RECORD_TRANSCRIPTS=1 records them again.
import { expect, test } from "bun:test";
import { type ConversationEntry, readLine } from "../../../src/claude/transcript/conversation-entry.ts";
import { noLimits, renderConversation } from "../../../src/claude/markdown/markdown.ts";
import { forEachClaude } from "../../support/sandbox/claude-versions.ts";
import { recordConversation } from "../../support/transcripts/record-conversation.ts";
import { storedTranscript } from "../../support/transcripts/stored-transcript.ts";

function render(text: string): string {
  const entries: ConversationEntry[] = [];
  for (const line of text.split("\n").filter(Boolean)) {
    const reading = readLine(line);
    if (reading.kind === "entry") entries.push(reading.entry);
  }
  const pieces = [...renderConversation(entries, { limits: noLimits, showTime: () => "now" })];
  return pieces.map((piece) => piece.text).join("\n");
}

forEachClaude((version) => {
  test("a new recording renders like the stored transcript", async () => {
    const recorded = await recordConversation(version);
    if (process.env["RECORD_TRANSCRIPTS"]) await Bun.write(storedTranscript(version), recorded);
    expect(render(recorded)).toBe(render(await Bun.file(storedTranscript(version)).text()));
  });
});
