import { expect, test } from "bun:test";
import { type Choice, type Chosen, pressKeys } from "../../../src/cli/run-list/choice.ts";

const first: Choice = { count: 3, selected: 0, digits: "" };
const many: Choice = { count: 25, selected: 0, digits: "" };
const at = (selected: number, digits = "", count = 3): Choice => ({ count, selected, digits });

test.each<[what: string, choice: Choice, keys: string, next: Chosen]>([
  ["the down arrow selects the next row", first, "\x1b[B", at(1)],
  ["the up arrow of the first row selects the last one", first, "\x1b[A", at(2)],
  ["arrows in application mode work too", first, "\x1bOB", at(1)],
  ["several keys at once are all used", first, "\x1b[B\x1b[B", at(2)],
  ["Enter chooses the selected row", at(2), "\r", { chosen: 2 }],
  ["a number chooses its row", first, "2", { chosen: 1 }],
  ["a number that another digit may follow selects its row", many, "2", at(1, "2", 25)],
  ["the next digit completes it", at(1, "2", 25), "4", { chosen: 23 }],
  ["Enter completes it", at(1, "2", 25), "\r", { chosen: 1 }],
  ["a number without a row is ignored", first, "7", first],
  ["0 is ignored", first, "0", first],
  ["another key is ignored", first, "x", first],
  ["q quits", first, "q", "quit"],
  ["Ctrl-C quits", first, "\x03", "quit"],
  ["Escape quits", first, "\x1b", "quit"],
])("%s", (_, choice, keys, next) => {
  expect(pressKeys(choice, keys)).toEqual(next);
});
