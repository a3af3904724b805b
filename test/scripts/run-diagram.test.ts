import { expect, test } from "bun:test";
import { designFile, withDiagram } from "../../scripts/run-diagram.ts";

test("the drawing in docs/DESIGN.md is what the transitions are: bun scripts/run-diagram.ts draws it anew", async () => {
  const text = await Bun.file(designFile).text();
  expect(text).toBe(withDiagram(text));
});

test("a document without a place for it is refused", () => {
  expect(() => withDiagram("# Design\n")).toThrow("no place for the diagram");
});
