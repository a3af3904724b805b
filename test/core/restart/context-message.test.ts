import { expect, test } from "bun:test";
import { lostConversationPrompt, contextMessage, usersWords } from "../../../src/core/restart/context-message.ts";

const work = {
  task: "Write\nthe notes",
  lastStep: "notes begun",
  steps: 3,
  lastSentence: undefined,
  files: ["/a.md", "/b.md"],
};

test("a resumed run gets the cause, its task, its last step and its files", () => {
  const text = contextMessage("limit", undefined, work);
  expect(text).toStartWith(
    "[AI-RUNTIME CONTEXT RESTORED]\nThe usage limit ended Claude Code; it has reset, and ai-runtime",
  );
  for (const part of ["> Write\n> the notes", "Last completed step: notes begun", "(3 steps", "- /a.md\n- /b.md"]) {
    expect(text).toContain(part);
  }
  expect(text).toEndWith("check before you continue.");
});

test("says when no step is marked, and names only the last files", () => {
  const files = Array.from({ length: 60 }, (_, index) => `/${index}.md`);
  const text = contextMessage("crash", undefined, { ...work, lastStep: undefined, steps: 0, files });
  expect(text).toContain("No step was marked as completed yet.");
  expect(text).not.toContain("/9.md");
  expect(text).toContain("/59.md");
});

test("names the background tasks that ended with claude", () => {
  const text = contextMessage("crash", undefined, { ...work, lostTasks: ["npm run build", "x".repeat(900)] });
  expect(text).toContain("you will get no notice of them:\n- npm run build\n- xxx");
  expect(text.length).toBeLessThan(1_000);
  expect(contextMessage("unfinished", undefined, work)).toContain("before the task was done, and ai-runtime");
});

test("quotes the last sentence when no step is marked", () => {
  const text = contextMessage("limit", undefined, { ...work, lastStep: undefined, steps: 0, lastSentence: "I began." });
  expect(text).toContain("No step was marked as completed yet.\nYour last words were:\n> I began.\n");
});

test("shortens a long task without splitting a character", () => {
  const text = contextMessage("server", undefined, { ...work, task: "😀".repeat(5_000) });
  expect(text.length).toBeLessThan(3_000);
  expect(text.isWellFormed()).toBe(true);
});

test("a task that starts over gets what is known of the earlier work, or stays as given when nothing is", () => {
  const text = lostConversationPrompt(work);
  expect(text).toStartWith("Write\nthe notes\n\n[AI-RUNTIME CONTEXT RESTORED]\nAn earlier conversation about this");
  for (const part of ["Last completed step: notes begun", "(3 steps", "- /a.md\n- /b.md"]) expect(text).toContain(part);
  const fresh = { ...work, lastStep: undefined, steps: 0, files: [] };
  expect(lostConversationPrompt(fresh)).toBe(work.task);
  expect(lostConversationPrompt({ ...fresh, lastSentence: "I began." })).toContain("\n> I began.\n");
});

test("finds the user's words before the text that ai-runtime added", () => {
  expect(usersWords(lostConversationPrompt(work))).toBe(work.task);
  for (const prompt of [contextMessage("crash", undefined), work.task, "What is [AI-RUNTIME CONTEXT RESTORED]?"]) {
    expect(usersWords(prompt)).toBe(prompt);
  }
});
