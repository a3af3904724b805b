import { expect, test } from "bun:test";
import { firstPromptIn, titleIn } from "../../../src/claude/transcript/session-title.ts";

const line = (fields: object): string => JSON.stringify(fields);
const own = line({ type: "ai-title", aiTitle: "Fix the login", sessionId: "s" });
const given = line({ type: "custom-title", customTitle: "My login", sessionId: "s" });
const prompt = (text: string, more: object = {}): string =>
  line({ type: "user", message: { role: "user", content: text }, ...more });

test.each<[what: string, lines: string[], title: string | undefined]>([
  ["there is none", [prompt("Hello")], undefined],
  ["Claude gave one", [prompt("Hello"), own], "Fix the login"],
  ["the newest counts", [line({ type: "ai-title", aiTitle: "Newer" }), own], "Newer"],
  ["the user's own counts first", [own, given], "My login"],
  ["an older version wrote a summary", [line({ type: "summary", summary: "A summary", leafUuid: "x" })], "A summary"],
  ["a message quotes a title", [prompt('{"type":"ai-title","aiTitle":"x"}')], undefined],
  ["a line is torn", ['{"type":"ai-title","aiTi', own], "Fix the login"],
])("the title: %s", (_, newestFirst, title) => {
  expect(titleIn(newestFirst)).toBe(title);
});

test.each<[what: string, lines: string[], text: string | undefined]>([
  ["there is none yet", [own], undefined],
  ["the user typed it", [prompt("Do it"), prompt("More")], "Do it"],
  ["blocks", [line({ type: "user", message: { content: [{ type: "text", text: "Do it" }] } })], "Do it"],
  ["a command comes first", [prompt("<command-name>/init</command-name>"), prompt("Do it")], "/init"],
  ["notes of Claude Code do not count", [prompt("Caveat", { isMeta: true }), prompt("Do it")], "Do it"],
  ["a subagent's prompt does not count", [prompt("Sub", { isSidechain: true }), prompt("Do it")], "Do it"],
])("the first prompt: %s", (_, oldestFirst, text) => {
  expect(firstPromptIn(oldestFirst)).toBe(text);
});
