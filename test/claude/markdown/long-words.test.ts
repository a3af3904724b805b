import { expect, test } from "bun:test";
import { lastSentence, StepReader, withoutMarkers } from "../../../src/claude/stream/step-reader.ts";

const blank = " ".repeat(100_000);
/** Each of these once took minutes, during which the run could not react. */
const texts: [what: string, text: string][] = [
  ["a marker without an end", `<!-- CHECKPOINT:${blank}x`],
  ["many markers without an end", "<!-- CHECKPOINT: ".repeat(20_000)],
  ["blanks within a line", `a${blank}x`],
  ["blanks before the last words", `a${blank}.b`],
];

for (const [what, text] of texts) {
  test(`words of any length are read in no time: ${what}`, () => {
    expect(withoutMarkers(text)).toStartWith(text.slice(0, 1));
    expect(lastSentence(text)?.length).toBeLessThanOrEqual(200);
    expect(new StepReader().read({ kind: "text", text, bySubagent: false })).toBeEmpty();
  });
}
