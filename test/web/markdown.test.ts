import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Block, parseMarkdown } from "../../src/web/markdown/blocks.ts";
import { type Inline, parseInline } from "../../src/web/markdown/inline.ts";

const text = (value: string): Inline => ({ kind: "text", text: value });
const paragraph = (...inside: Inline[]): Block => ({ kind: "paragraph", inside });

describe("inline text", () => {
  test.each<[string, Inline[]]>([
    ["plain", [text("plain")]],
    ["a **b** c", [text("a "), { kind: "strong", inside: [text("b")] }, text(" c")]],
    ["*a*", [{ kind: "emphasis", inside: [text("a")] }]],
    ["`a * b`", [{ kind: "code", text: "a * b" }]],
    ["``a ` b``", [{ kind: "code", text: "a ` b" }]],
    ["~~a~~", [{ kind: "deleted", inside: [text("a")] }]],
    ["[a](https://b.example/c)", [{ kind: "link", address: "https://b.example/c", inside: [text("a")] }]],
    ["[a](javascript:alert(1))", [text("[a](javascript:alert(1))")]],
    ["[a](data:text/html,x)", [text("[a](data:text/html,x)")]],
    ["[a](/api/now)", [text("[a](/api/now)")]],
    ["[a](//evil.example)", [text("[a](//evil.example)")]],
    ["<b>x</b>", [text("<b>x</b>")]],
    ["\\*a\\*", [text("*a*")]],
    ["2 * 3 * 4", [text("2 * 3 * 4")]],
  ])("%p", (source, expected) => {
    expect(parseInline(source)).toEqual(expected);
  });
});

describe("blocks", () => {
  test.each<[string, Block[]]>([
    ["# a", [{ kind: "heading", level: 1, inside: [text("a")] }]],
    ["```ts\na\n\nb\n```", [{ kind: "code", language: "ts", text: "a\n\nb" }]],
    ["````\n```\n````", [{ kind: "code", language: "", text: "```" }]],
    ["```\nnever closed", [{ kind: "code", language: "", text: "never closed" }]],
    ["> a", [{ kind: "quote", blocks: [paragraph(text("a"))] }]],
    ["---", [{ kind: "rule" }]],
    ["- a\n- b", [{ kind: "list", isOrdered: false, items: [[paragraph(text("a"))], [paragraph(text("b"))]] }]],
    ["| a |\n|---|\n| b |", [{ kind: "table", rows: [[[text("a")]], [[text("b")]]] }]],
    ["<script>\nx\n</script>", [paragraph(text("<script>\nx\n</script>"))]],
  ])("%p", (source, expected) => {
    expect(parseMarkdown(source)).toEqual(expected);
  });
});

/** Every address of a link in the blocks. */
const addressesIn = (value: unknown): string[] =>
  typeof value !== "object" || value === null
    ? []
    : [
        ...("kind" in value && value.kind === "link" ? [(value as Extract<Inline, { kind: "link" }>).address] : []),
        ...Object.values(value).flatMap(addressesIn),
      ];

test("any text becomes blocks in bounded time, with links to the web and mail only", () => {
  const pieces = fc.constantFrom(
    "*",
    "**",
    "`",
    "```\n",
    "[",
    "](",
    ")",
    "javascript:",
    "https://a",
    "> ",
    "- ",
    "\n",
    "|",
    "<",
    "a ",
    "#",
    "~~",
    "\\",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string({ maxLength: 5 })), { maxLength: 200 }), (parts) => {
      const blocks = parseMarkdown(parts.join(""));
      expect(addressesIn(blocks).filter((each) => !/^(https?:\/\/|mailto:)/.test(each))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("a long line of opening marks does not take long", () => {
  const started = performance.now();
  for (const mark of ["*", "**a", "[", "`", "~~a", "> ", "- "]) parseMarkdown(mark.repeat(20_000));
  expect(performance.now() - started).toBeLessThan(20_000);
});
