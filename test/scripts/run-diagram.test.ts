import { expect, test } from "bun:test";
import { designFile, withDiagram } from "../../scripts/run-diagram.ts";

test("the diagram in docs/DESIGN.md matches the transitions (update it with: bun scripts/run-diagram.ts)", async () => {
  const text = await Bun.file(designFile).text();
  expect(text).toBe(withDiagram(text));
});

test("refuses a document without markers for the diagram", () => {
  expect(() => withDiagram("# Design\n")).toThrow("no markers for the diagram");
});
