// Lines that a fast scanner may read differently than JSON.parse: by what is odd about them.
import { brokenLiterals, brokenNumbers, literals, numbers } from "./json-text.ts";

export const uuid = (index: number): string => `{"uuid":"${index}","parentUuid":"${index - 1}","type":"user"}`;
export const calls = (count: number): string => {
  const blocks = Array.from({ length: count }, (_, index) => `{"type":"tool_use","id":"toolu_${index}"}`);
  return `{"uuid":"a","message":{"content":[${blocks.join(",")}]}}`;
};

const block = (members: string): string => `{"uuid":"a","type":"user","message":{"content":[{${members}}]}}`;
const field = (member: string): string => `{"uuid":"a",${member}}`;
const text = (words: string): string => `{"uuid":"${words}","type":"user","isMeta":true}`;
const lengths = Array.from({ length: 140 }, (_, length) => length);
const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);

export const oddities: Record<string, string[]> = {
  "a repeated key": [
    '{"uuid":"a","uuid":"b"}',
    '{"uuid":"a","uuid":5}',
    '{"uuid":"a","type":"user","type":"system"}',
    '{"uuid":"a","isSidechain":true,"isSidechain":false}',
    '{"uuid":"a","parentUuid":"b","parentUuid":null}',
    '{"uuid":"a","sessionId":"other","sessionId":"session"}',
    '{"uuid":"a","message":{"content":[{"type":"tool_use","id":"x"}]},"message":null}',
    '{"uuid":"a","message":{"content":[{"type":"tool_use","id":"x"}],"content":"words"}}',
    block('"type":"tool_use","type":"text","id":"x"'),
    block('"type":"tool_use","id":"x","id":5'),
    block('"type":"tool_result","tool_use_id":"x","tool_use_id":null'),
  ],
  "a key or a word written differently": [
    String.raw`{"\u0075uid":"a"}`,
    String.raw`{"uuid":"a","t\u0079pe":"user"}`,
    String.raw`{"uuid":"a","type":"us\u0065r","subtype":"compact_boundar\u0079"}`,
    String.raw`{"uuid":"a","messag\u0065":{"content":[{"type":"tool_use","id":"x"}]}}`,
    String.raw`{"uuid":"a","message":{"cont\u0065nt":[{"type":"tool_use","id":"x"}]}}`,
    block(String.raw`"type":"tool_us\u0065","id":"x"`),
    block(String.raw`"type":"tool_use","i\u0064":"x"`),
    block(String.raw`"type":"tool_use","id":"\u0078"`),
    block(String.raw`"type":"tool_result","tool_use_id":"\u0078${"x".repeat(100)}"`),
  ],
  "empty values": [
    "{}",
    "",
    "{ }",
    '{"":""}',
    '{"uuid":"","type":"user"}',
    '{"uuid":"a","parentUuid":""}',
    '{"uuid":"a","sessionId":""}',
    '{"uuid":"a","message":{}}',
    '{"uuid":"a","message":{"content":[]}}',
    block(""),
    block('"type":"tool_use","id":""'),
    block('"type":"tool_result","tool_use_id":""'),
  ],
  "fields in another place": [
    '{"message":{"uuid":"a","type":"user","sessionId":"other"}}',
    '{"uuid":"a","message":{"message":{"content":[{"type":"tool_use","id":"x"}]}}}',
    '{"uuid":"a","message":{"content":{"type":"tool_use","id":"x"}}}',
    '{"uuid":"a","message":{"content":[[{"type":"tool_use","id":"x"}]]}}',
    '{"uuid":"a","message":[{"content":[{"type":"tool_use","id":"x"}]}]}',
    '{"message":{"content":[{"id":"x","type":"tool_use"}]},"type":"user","uuid":"a"}',
    block('"input":{"type":"tool_result","tool_use_id":"y"},"id":"x","type":"tool_use","tool_use_id":"z"'),
    '{"__proto__":{"uuid":"a"}}',
  ],
  "values that are not objects": [
    "[]",
    '"uuid"',
    "5",
    "null",
    "{",
    "}",
    "{}{}",
    "{},",
    "[{}]",
    '\ufeff{"uuid":"a"}',
    '\0{"uuid":"a"}',
  ],
  "one comma, colon or blank too many or too few": [
    '{"uuid":"a",}',
    '{"uuid":"a" , }',
    '{,"uuid":"a"}',
    '{"uuid":"a",,"type":"user"}',
    '{"uuid":"a" "type":"user"}',
    '{"uuid"::"a"}',
    '{"uuid" "a"}',
    '{"uuid":"a","list":[1,]}',
    '{"uuid":"a","list":[1 , ]}',
    '{"uuid":"a","list":[,1]}',
    '{"uuid":"a","list":{"b":1,}}',
    block('"type":"tool_use","id":"x",'),
    '{"uuid":"a","message":{"content":[{},]}}',
    ' { "uuid" : "a" , "type" : "user" } ',
    '{\t"uuid"\r:\t"a"\r,"list" : [ 1 , { "b" : [ ] } ] }\r',
    '{"uuid":"a"\v}',
    '{"uuid":"a"\u00a0}',
  ],
  "numbers and other words": [...numbers, ...brokenNumbers, ...literals, ...brokenLiterals].flatMap((word) => [
    field(`"b":${word}`),
    field(`"b":[${word},{"c":${word}}]`),
    field(`"isSidechain":${word},"isMeta":${word},"parentUuid":${word},"type":${word}`),
  ]),
  "an escape anywhere": lengths.flatMap((length) =>
    [
      "\\n",
      '\\"',
      "\\\\",
      '\\\\\\"',
      "\\u0041",
      "\\/",
      "\\ud83d",
      "\\\\ud83d",
      "\\x",
      "\\u004g",
      "\\u0g41",
      "\\",
    ].flatMap((escape) => [
      text("x".repeat(length) + escape),
      field(`"text":"${"x".repeat(length)}${escape}${"y".repeat(140)}"`),
      text("x".repeat(length) + escape + "y".repeat(140 - length)),
    ]),
  ),
  "a control character anywhere": lengths.flatMap((length) =>
    ["\0", "\u0001", "\t", "\u001f", "\u007f", "\u0080"].map((character) =>
      field(`"text":"${"x".repeat(length)}${character}${"y".repeat(140)}"`),
    ),
  ),
  "deep nesting": [1, 10, 58, 59, 60, 61, 62, 63, 64, 65, 66, 130, 1_000].flatMap((depth) => [
    field(`"b":${nested(depth, "[", "]")}`),
    field(`"b":{"c":${nested(depth, "[", "]")}}`),
    field(`"b":{"c":${nested(depth, "[", "]")}]`),
    field(`"b":[${'{"c":'.repeat(depth)}1${"}".repeat(depth)}]`),
    field(`"b":[${'{"c":'.repeat(depth)}1${"}".repeat(depth)}}`),
  ]),
};
