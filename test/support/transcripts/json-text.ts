// Random lines that no client would write: everything JSON allows, and much that it does not.
import * as fc from "fast-check";

const list = (text: string): string[] => text.split(" ");

const knownKeys = list(
  "uuid parentUuid type sessionId subtype message isSidechain isMeta content id tool_use_id " +
    // Near misses, escaped spellings, and unrelated keys.
    "uuie Uuid uuid2 typ types parentUuie messages isSidechaim isMet sessionIds tool_use_ie i " +
    String.raw`\u0075uid t\u0079pe messag\u0065 cont\u0065nt i\u0064 __proto__ a-key-of-more-than-sixteen-bytes `,
);
const knownTexts = list(
  "user assistant system compact_boundary tool_use tool_result session other toolu_1 toolu_2 " +
    "use users tool_usf tool_resulu compact_boundarz é 日本 " +
    String.raw`us\u0065r tool\u005fuse s\u0065ssion `,
);
const pieces = [
  "plain words ",
  '{\\"uuid\\":\\"x\\"}',
  "\u2028",
  "\u007f",
  "\\\\".repeat(33),
  ...list(String.raw`\n \t \" \\ \/ \b \f \r \u0041 \u00e9 \u001b[0m é — 🎉 { } [ ] : , '`),
  ...list(String.raw`\ud83d \ude00 \ud83d\ude00 \uD83D \\ud83d \ud7ff \udfff`),
  ...[15, 16, 17, 63, 64, 130].map((length) => "x".repeat(length)),
];
const brokenPieces = ["\u0001", "\u0000", "\t", "\u001f", ...list(String.raw`\x \u12g4 \u123g \u12 \ " \U0041 \N`)];
export const numbers = [
  "0",
  "-0",
  "7",
  "-12",
  "1.5",
  "1e5",
  "1E+3",
  "2e-7",
  "1e999",
  "123456789012345678901234567890",
  "0.0",
];
export const brokenNumbers = [
  "01",
  "-",
  "-01",
  "1.",
  ".5",
  "1e",
  "1e+",
  "+1",
  "--1",
  "1.e5",
  "0x10",
  "1_0",
  "Infinity",
  "NaN",
];
export const literals = ["true", "false", "null"];
export const brokenLiterals = ["tru", "True", "truee", "nul", "nulll", "fals", "undefined", ""];

const oftenOneOf = (good: readonly string[], broken: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 60, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: fc.constantFrom(...broken) });

const blank = fc.oneof(
  { weight: 150, arbitrary: fc.constant("") },
  { weight: 15, arbitrary: fc.constantFrom(" ", "\t", "\r", "  \t ") },
  { weight: 1, arbitrary: fc.constantFrom("\u00a0", "\v", "\f", "\ufeff", "/**/", "\u0000") },
);

const texts = fc.oneof(
  fc.constantFrom(...knownTexts),
  fc.array(oftenOneOf(pieces, brokenPieces), { maxLength: 12 }).map((list) => list.join("")),
  fc.uuid(),
);
const quoted = texts.map((text) => `"${text}"`);
const keys = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...knownKeys) }, { weight: 1, arbitrary: texts });

const separator = fc.oneof(
  { weight: 60, arbitrary: fc.constant(",") },
  { weight: 1, arbitrary: fc.constantFrom(",,", "", ";") },
);
const tail = fc.oneof(
  { weight: 60, arbitrary: fc.constant("") },
  { weight: 1, arbitrary: fc.constantFrom(",", "]", "}", "{") },
);
const colon = fc.oneof(
  { weight: 90, arbitrary: fc.constant(":") },
  { weight: 1, arbitrary: fc.constantFrom("", "=", "::") },
);

const { value, object } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    quoted,
    oftenOneOf([...numbers, ...literals], [...brokenNumbers, ...brokenLiterals]),
    tie("object"),
    tie("array"),
  ),
  object: fc
    .tuple(
      fc.array(fc.tuple(blank, keys, blank, colon, blank, tie("value"), blank), { maxLength: 7 }),
      separator,
      tail,
      blank,
    )
    .map(([members, comma, end, space]) => {
      const list = members.map(([a, key, b, to, c, content, d]) => `${a}"${key}"${b}${to}${c}${content}${d}`);
      return `{${list.join(comma)}${end}${space}}`;
    }),
  array: fc
    .tuple(fc.array(fc.tuple(blank, tie("value"), blank), { maxLength: 4 }), separator, tail, blank)
    .map(([list, comma, end, space]) => `[${list.map((parts) => parts.join("")).join(comma)}${end}${space}]`),
}));

const deep = fc
  .tuple(fc.integer({ min: 1, max: 130 }), fc.constantFrom("[", '{"a":', '{"message":', '{"content":['), value)
  .map(([depth, open, inner]) => {
    const close = [...open]
      .toReversed()
      .map((each) => (each === "[" ? "]" : each === "{" ? "}" : ""))
      .join("");
    return `{"uuid":"a","deep":${open.repeat(depth)}${inner}${close.repeat(depth)}}`;
  });

/** An object with these keys in any order, some of them twice, mostly with a fitting value. */
function membersOf(kinds: Record<string, fc.Arbitrary<string>>): fc.Arbitrary<string> {
  const members = Object.entries(kinds).map(([key, kind]) =>
    fc.oneof({ weight: 12, arbitrary: kind }, { weight: 1, arbitrary: value }).map((content) => `"${key}":${content}`),
  );
  return fc.array(fc.oneof(...members), { maxLength: 8 }).map((all) => `{${all.join(",")}}`);
}

const knownText = fc.constantFrom(...knownTexts).map((text) => `"${text}"`);
const switches = fc.constantFrom(...literals);
const blocks = membersOf({ type: knownText, id: knownText, tool_use_id: knownText, text: quoted });
const contents = fc.array(blocks, { maxLength: 4 }).map((all) => `[${all.join(",")}]`);
const messages = membersOf({ role: knownText, content: contents, usage: value });
const recordLike = fc
  .tuple(
    fc.uuid(),
    membersOf({
      parentUuid: fc.oneof(knownText, switches),
      type: knownText,
      sessionId: knownText,
      subtype: knownText,
      message: messages,
      isSidechain: switches,
      isMeta: switches,
      uuid: knownText,
      cwd: quoted,
    }),
  )
  .map(([uuid, members]) => (members === "{}" ? members : `{"uuid":"${uuid}",${members.slice(1)}`));

/** The text of one line without its line feed, valid or not. */
export const jsonLines: fc.Arbitrary<string> = fc
  .tuple(blank, fc.oneof(object, recordLike, recordLike, deep, value), blank, tail)
  .map((parts) => parts.join("").replaceAll("\n", " "));
