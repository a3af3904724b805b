import { expect, test } from "bun:test";
import { readPromptScreen } from "../../src/claude/prompt-screen.ts";

const limit = ["❯ Do a lot", "  ⎿  You've hit your 5-hour limit · resets 2:54am (UTC)", ""];

test.each([
  ["an empty line", [...limit, "────", "❯", "────"], "empty"],
  ["an empty line in a box", ["> Do a lot", "╭──╮", "│ >                │", "╰──╯"], "empty"],
  ["words on it", [...limit, "────", "❯ half a sent", "────"], "typed"],
  ["words in a box", ["│ > half a sent     │"], "typed"],
  [
    "a menu",
    [...limit, "What do you want to do?", "", "❯ 1. Stop and wait for limit to reset", "  2. Upgrade your plan"],
    "menu",
  ],
  [
    "its own wait",
    [...limit, "Usage limit reached · continuing automatically at 2:54am · esc to cancel", "❯", ""],
    "waiting",
  ],
  ["nothing to type on", ["Loading…"], "unknown"],
])("%s", (_, rows, state) => {
  expect(readPromptScreen(rows)).toBe(state as ReturnType<typeof readPromptScreen>);
});
