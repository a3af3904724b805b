import { expect, test } from "bun:test";
import { findNewParents } from "../../src/claude/relink.ts";
import { PieceReader } from "../../src/claude/transcript-piece.ts";
import { byteTools } from "../../src/io/byte-tools.ts";

type Given = readonly [uuid: string, parent: string | null];

/** Each record's parent as it will be, in the order of the file. */
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
    "a whole chain stays",
    [
      ["a", null],
      ["b", "a"],
      ["c", "b"],
    ],
    { a: null, b: "a", c: "b" },
  ],
  [
    "a lost parent is bridged",
    [
      ["a", null],
      ["c", "lost"],
    ],
    { a: null, c: "a" },
  ],
  [
    "all that hung on one lost record hang on one again",
    [
      ["a", null],
      ["c", "lost"],
      ["d", "lost"],
    ],
    { a: null, c: "a", d: "a" },
  ],
  [
    "a lost parent before children that come first",
    [
      ["c", "b"],
      ["b", "a"],
      ["a", "lost"],
    ],
    { a: null, b: "a", c: "b" },
  ],
  [
    "the same behind a whole beginning",
    [
      ["r", null],
      ["c", "b"],
      ["b", "a"],
      ["a", "lost"],
    ],
    { r: null, a: "r", b: "a", c: "b" },
  ],
  [
    "a circle is cut at its first record",
    [
      ["a", null],
      ["b", "c"],
      ["c", "b"],
    ],
    { a: null, b: "a", c: "b" },
  ],
  [
    "what hangs on a circle stays where it is",
    [
      ["x", "b"],
      ["b", "c"],
      ["c", "b"],
    ],
    { x: "b", b: null, c: "b" },
  ],
  [
    "two circles, one hanging on the other",
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
