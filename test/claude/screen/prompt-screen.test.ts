import { expect, test } from "bun:test";
import { readPromptScreen, showsOwnWait } from "../../../src/claude/screen/prompt-screen.ts";

const limit = ["❯ Do a lot", "  ⎿  You've hit your 5-hour limit · resets 2:54am (UTC)", ""];

test.each([
  ["an empty line to type on", [...limit, "────", "❯", "────"], "empty"],
  ["an empty line in a box", ["> Do a lot", "╭──╮", "│ >                │", "╰──╯"], "empty"],
  ["a half-typed line", [...limit, "────", "❯ half a sent", "────"], "typed"],
  ["a half-typed line in a box", ["│ > half a sent     │"], "typed"],
  [
    "a menu",
    [...limit, "What do you want to do?", "", "❯ 1. Stop and wait for limit to reset", "  2. Upgrade your plan"],
    "menu",
  ],
  [
    "an empty line below Claude's own wait",
    [...limit, "Usage limit reached · continuing automatically at 2:54am · esc to cancel", "❯", ""],
    "empty",
  ],
  ["the host's text", [...limit, "────", "❯ Continue the task, please.", "────"], "ours"],
  ["the host's text over two rows", [...limit, "────", "❯ Continue the", "  task, please.", "────"], "ours"],
  ["the host's text over two rows of a box", ["│ > Continue the  │", "│   task, please. │", "╰────╯"], "ours"],
  ["a part of the host's text", [...limit, "────", "❯ tinue the task, please.", "────"], "typed"],
  ["the host's text with words of the user", [...limit, "────", "❯ Continue the task, please. And", "────"], "typed"],
  ["text below an empty first row", [...limit, "────", "❯", "  half a sent", "────"], "typed"],
  ["no line to type on", ["Loading…"], "unknown"],
])("recognizes %s", (_, rows, state) => {
  expect(readPromptScreen({ all: rows, firm: rows }, "Continue the task, please.")).toBe(
    state as ReturnType<typeof readPromptScreen>,
  );
});

test.each([
  ["in the conversation", "● Usage limit reached · continuing automatically at 2:54am · esc to cancel", true],
  ["below the prompt", "    Continuing automatically at 11:11pm · Esc to cancel", true],
  ["not in its absence", "  ⚠ Usage limit reached · limit resets 11:11pm", false],
])("recognizes Claude's own wait %s", (_, row, waits) => {
  const rows = [...limit, "❯", row];
  expect(showsOwnWait({ all: rows, firm: rows })).toBe(waits);
});

test("recognizes the host's text above an edge that 2.1.36 draws dim", () => {
  const all = [...limit, "────", "❯ Continue the", "  task, please. ", "────", "  ? for shortcuts"];
  const firm = all.map((row) => (row === "────" ? "" : row));
  expect(readPromptScreen({ all, firm }, "Continue the task, please.")).toBe("ours");
});
