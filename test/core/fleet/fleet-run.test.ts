import { expect, test } from "bun:test";
import { readLabels } from "../../../src/core/fleet/fleet-run.ts";

test.each([
  [undefined, []],
  ["", []],
  ["linux", ["linux"]],
  ["GPU, linux,gpu", ["gpu", "linux"]],
  ["a b", undefined],
  ["-x", undefined],
  ["linux;rm", undefined],
])("labels %p", (text, expected) => {
  expect(readLabels(text)).toEqual(expected as string[]);
});
