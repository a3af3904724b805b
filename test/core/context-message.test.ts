import { expect, test } from "bun:test";
import { beginAgain, contextMessage, usersWords } from "../../src/core/context-message.ts";

const work = {
  task: "Write\nthe notes",
  lastStep: "notes begun",
  steps: 3,
  lastSentence: undefined,
  files: ["/a.md", "/b.md"],
};

test("a resumed run is told why, its task, its last step and its files", () => {
  const text = contextMessage("limit", undefined, work);
  expect(text).toStartWith(
    "[AI-RUNTIME CONTEXT RESTORED]\nThe usage limit ended Claude Code; it has reset, and ai-runtime",
  );
  for (const part of ["> Write\n> the notes", "Last completed step: notes begun", "(3 steps", "- /a.md\n- /b.md"]) {
    expect(text).toContain(part);
  }
  expect(text).toEndWith("check before you go on.");
});

test("one that has done nothing yet is told so, and only the last files are named", () => {
  const files = Array.from({ length: 60 }, (_, index) => `/${index}.md`);
  const text = contextMessage("crash", undefined, { ...work, lastStep: undefined, steps: 0, files });
  expect(text).toContain("No step was marked as completed yet.");
  expect(text).not.toContain("/9.md");
  expect(text).toContain("/59.md");
});

test("where no step was marked, its last sentence says where it stood", () => {
  const text = contextMessage("limit", undefined, { ...work, lastStep: undefined, steps: 0, lastSentence: "I began." });
  expect(text).toContain("No step was marked as completed yet.\nYour last words were:\n> I began.\n");
});

test("a task as long as a file is shortened, between characters", () => {
  const text = contextMessage("server", undefined, { ...work, task: "😀".repeat(5_000) });
  expect(text.length).toBeLessThan(3_000);
  expect(text.isWellFormed()).toBe(true);
});

test("a task that begins anew is told what had been done for it; nothing was: it is the task alone", () => {
  const text = beginAgain(work);
  expect(text).toStartWith("Write\nthe notes\n\n[AI-RUNTIME CONTEXT RESTORED]\nAn earlier conversation about this");
  for (const part of ["Last completed step: notes begun", "(3 steps", "- /a.md\n- /b.md"]) expect(text).toContain(part);
  const fresh = { ...work, lastStep: undefined, steps: 0, files: [] };
  expect(beginAgain(fresh)).toBe(work.task);
  expect(beginAgain({ ...fresh, lastSentence: "I began." })).toContain("\n> I began.\n");
});

test("the user's words of a prompt are those before ours", () => {
  expect(usersWords(beginAgain(work))).toBe(work.task);
  for (const prompt of [contextMessage("crash", undefined), work.task, "What is [AI-RUNTIME CONTEXT RESTORED]?"]) {
    expect(usersWords(prompt)).toBe(prompt);
  }
});
