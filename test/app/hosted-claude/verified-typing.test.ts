// What a host types after a limit is verified, with a clock that the test moves.
import { expect, test } from "bun:test";
import { continuationText } from "../../../src/core/host/continuation.ts";
import { claudeAtLimit, pass, pasted, ScriptedClaude, withMovedClock } from "../../support/terminal/limited-claude.ts";

withMovedClock();

test("the text is pasted whole, seen at the prompt, sent, and found in the transcript", () => {
  using claude = claudeAtLimit();
  pass(60);
  expect(claude.written).toEqual([pasted, "\r"]);
  expect(claude.statuses).toEqual([0, "working"]);
  expect(claude.problems).toEqual([]);
});

test("a limit that reaches the transcript long after the screen became quiet is found", () => {
  using claude = new ScriptedClaude();
  claude.paints();
  pass(20);
  claude.hitsLimit();
  pass(60);
  expect(claude.keys).toEqual(["text", "\r"]);
});

test("a lost Enter is pressed again", () => {
  using claude = claudeAtLimit();
  let lost = 0;
  claude.loses = (text) => text === "\r" && lost++ === 0;
  pass(60);
  expect(claude.keys).toEqual(["text", "\r", "\r"]);
  expect(claude.statuses.at(-1)).toBe("working");
});

test("a lost text is entered again", () => {
  using claude = claudeAtLimit();
  let lost = 0;
  claude.loses = (text) => text === pasted && lost++ === 0;
  pass(60);
  expect(claude.keys).toEqual(["text", "text", "\r"]);
  expect(claude.statuses.at(-1)).toBe("working");
});

test("a text that did not arrive whole is removed and entered again", () => {
  using claude = claudeAtLimit();
  let cut = 0;
  claude.loses = (text) => {
    if (text !== pasted || cut++ > 0) return false;
    claude.prompt = continuationText.slice(4);
    return true;
  };
  pass(60);
  expect(claude.keys).toEqual(["text", "\x15", "text", "\r"]);
  expect(claude.statuses.at(-1)).toBe("working");
});

test("a text that the user changes is left alone", () => {
  using claude = claudeAtLimit();
  claude.loses = (text) => {
    if (text !== pasted) return false;
    claude.prompt = `${continuationText} And`;
    claude.presses("d");
    return true;
  };
  pass(600);
  expect(claude.keys).toEqual(["text"]);
  expect(claude.statuses.at(-1)).toBe("typing");
});

test("a Claude that accepts nothing is given up after three tries, with a line in the log", () => {
  using claude = claudeAtLimit();
  claude.loses = () => true;
  pass(600);
  expect(claude.keys).toEqual(["text", "text", "text"]);
  expect(claude.statuses).toEqual([0, "gave-up"]);
  expect(claude.problems).toEqual([expect.stringContaining("did not arrive")]);
});

test("a Claude that ignores Enter is given up after three tries", () => {
  using claude = claudeAtLimit();
  claude.loses = (text) => text === "\r";
  pass(600);
  expect(claude.keys).toEqual(["text", "\r", "\r", "\r"]);
  expect(claude.statuses).toEqual([0, "gave-up"]);
});

test("a screen without a prompt is looked at again, even when nothing is printed", () => {
  using claude = claudeAtLimit();
  claude.screen = ["Loading…"];
  pass(120);
  expect(claude.statuses).toEqual(["no-prompt"]);
  claude.screen = undefined;
  pass(60);
  expect(claude.keys).toEqual(["text", "\r"]);
  expect(claude.statuses.at(-1)).toBe("working");
});

test("a menu is closed first", () => {
  using claude = claudeAtLimit();
  claude.screen = ["What do you want to do?", "❯ 1. Stop and wait for limit to reset", "  2. Upgrade your plan"];
  pass(60);
  expect(claude.keys).toEqual(["\x1b", "text", "\r"]);
});

test("keys of the user without text at the prompt delay it by a minute", () => {
  using claude = claudeAtLimit();
  claude.presses("jj");
  pass(55);
  expect(claude.statuses).toEqual(["typing"]);
  pass(30);
  expect(claude.keys).toEqual(["text", "\r"]);
});
