import { expect, test } from "bun:test";
import { findNewParents } from "../../../src/claude/repair/relink.ts";
import { PieceReader } from "../../../src/claude/repair/transcript-piece.ts";
import { byteTools } from "../../../src/io/files/byte-tools.ts";

type Given = readonly [uuid: string, parent: string | null];

/** Each record's parent after the repair, in the order of the file. */
function parentsOf(given: readonly Given[]): Record<string, string | null> {
  const reader = new PieceReader(0, byteTools);
  for (const [uuid, parentUuid] of given) {
    reader.feed(new TextEncoder().encode(`${JSON.stringify({ type: "assistant", uuid, parentUuid })}\n`));
  }
  const pieces = reader.finish();
  const changed = findNewParents(pieces);
  return Object.fromEntries(
    pieces.map((piece, nth) => [
      piece.record?.uuid,
      changed.get(piece) ?? (changed.has(piece) ? null : given[nth]?.[1]),
    ]),
  );
}

const table: readonly [what: string, given: readonly Given[], wanted: Record<string, string | null>][] = [
  [
    "keeps a whole chain",
    [
      ["a", null],
      ["b", "a"],
      ["c", "b"],
    ],
    { a: null, b: "a", c: "b" },
  ],
  [
    "bridges a lost parent",
    [
      ["a", null],
      ["c", "lost"],
    ],
    { a: null, c: "a" },
  ],
  [
    "gives all children of a lost record the same parent",
    [
      ["a", null],
      ["c", "lost"],
      ["d", "lost"],
    ],
    { a: null, c: "a", d: "a" },
  ],
  [
    "handles a lost parent above children that come first in the file",
    [
      ["c", "b"],
      ["b", "a"],
      ["a", "lost"],
    ],
    { a: null, b: "a", c: "b" },
  ],
  [
    "does the same after a whole start",
    [
      ["r", null],
      ["c", "b"],
      ["b", "a"],
      ["a", "lost"],
    ],
    { r: null, a: "r", b: "a", c: "b" },
  ],
  [
    "breaks a cycle at its first record",
    [
      ["a", null],
      ["b", "c"],
      ["c", "b"],
    ],
    { a: null, b: "a", c: "b" },
  ],
  [
    "keeps the children of a cycle",
    [
      ["x", "b"],
      ["b", "c"],
      ["c", "b"],
    ],
    { x: "b", b: null, c: "b" },
  ],
  [
    "breaks two cycles, one below the other",
    [
      ["a", "b"],
      ["b", "a"],
      ["c", "d"],
      ["d", "c"],
    ],
    { a: null, b: "a", c: "b", d: "c" },
  ],
];

test.each([...table])("%s", (_, given, wanted) => {
  expect(parentsOf(given)).toEqual(wanted);
});
