// The scanner may leave a line to the parser, but what it says itself must be what the parser says.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compileScanner } from "../../scripts/compile-scanner.ts";
import { loneSurrogates } from "../../src/claude/broken-text.ts";
import { IdTable } from "../../src/claude/id-table.ts";
import { LineScanner } from "../../src/claude/line-scanner.ts";
import type { ScannedRecord } from "../../src/claude/scanned-record.ts";
import { scannerModule } from "../../src/claude/scanner-module.ts";
import { type Scanner, startScanner } from "../../src/claude/scanner.ts";
import { parseRecord, TranscriptReader } from "../../src/claude/transcript.ts";
import { byteTools } from "../../src/io/byte-tools.ts";
import { claudeVersions } from "../support/claude-versions.ts";
import { brokenLiterals, brokenNumbers, jsonLines, literals, numbers } from "../support/json-text.ts";
import { storedTranscript } from "../support/stored-transcript.ts";

setDefaultTimeout(120_000);

const sessionId = "session";
const scanner = startScanner() as Scanner;

/** What either of the two says of a line; ids as numbers of one table. */
interface Said {
  number: number;
  offset: number;
  length: number;
  ended: boolean;
  /** Undefined when the line is left to the parser. */
  record: object | undefined;
}

function scan(content: Uint8Array, ids: IdTable, chunk = content.length): Said[] {
  const said: Said[] = [];
  const reader = new LineScanner(
    scanner,
    { sessionId, isUtf8: byteTools.isUtf8 },
    {
      visitRecord: (line) => {
        const { number, offset, length } = line;
        said.push({ number, offset, length, ended: true, record: describeScanned(line, ids) });
      },
      visitLine: ({ number, offset, bytes, ended }) =>
        said.push({ number, offset, length: bytes.length, ended, record: undefined }),
    },
  );
  for (let from = 0; from < content.length; from += chunk) reader.feed(content.subarray(from, from + chunk));
  reader.end();
  return said;
}

function describeScanned(line: ScannedRecord, ids: IdTable): object {
  const { isBoundary, isSidechain, isSystem, isSpoken, stranger, hasUuid } = line;
  const session = stranger && byteTools.latin1(stranger);
  if (!hasUuid) return { session };
  const tools = Array.from({ length: line.tools }, (_, index) => [line.isCall(index), line.toolId(index, ids)]);
  return {
    session,
    uuid: line.uuid(ids),
    parent: line.parent(ids),
    isBoundary,
    isSidechain,
    isSystem,
    isSpoken,
    isPrompt: line.isPrompt,
    calls: tools.flatMap(([isCall, id]) => (isCall ? id : [])),
    results: tools.flatMap(([isCall, id]) => (isCall ? [] : id)),
  };
}

/** What the parser says; undefined for what is damaged in any way. */
function parse(content: Uint8Array, ids: IdTable): Said[] {
  const said: Said[] = [];
  const reader = new TranscriptReader(({ number, offset, bytes, ended }) => {
    const text = byteTools.latin1(bytes);
    const isSound = byteTools.isUtf8(bytes) && loneSurrogates(text).length === 0 && ended;
    const record = isSound ? describeParsed(text, ids) : undefined;
    said.push({ number, offset, length: bytes.length, ended, record });
  });
  reader.feed(content);
  reader.end();
  return said;
}

function describeParsed(text: string, ids: IdTable): object | undefined {
  const record = parseRecord(text);
  if (!record) return undefined;
  const { uuid, parent, type, isBoundary, isSidechain, isPrompt } = record;
  const session = record.sessionId === sessionId ? undefined : record.sessionId;
  if (uuid === undefined) return { session };
  return {
    session,
    uuid: ids.intern(uuid),
    parent: typeof parent === "string" ? ids.intern(parent) : parent,
    isBoundary,
    isSidechain,
    isSystem: type === "system",
    isSpoken: type === "user" || type === "assistant",
    isPrompt,
    calls: record.calls.map((id) => ids.intern(id)),
    results: record.results.map((id) => ids.intern(id)),
  };
}

/** Fails when the scanner says anything that the parser does not; returns on how many lines it said something. */
function expectAgreement(content: Uint8Array, chunk?: number): number {
  const ids = new IdTable();
  const parsed = parse(content, ids);
  const scanned = scan(content, ids, chunk);
  const known = parsed.map((line, index) => (scanned[index]?.record ? line : { ...line, record: undefined }));
  expect(scanned).toEqual(known);
  return scanned.filter(({ record }) => record).length;
}

const lines = (...list: string[]): Buffer => Buffer.from(list.map((line) => `${line}\n`).join(""));

test("what is built in is what the source gives", () => {
  const compiled = compileScanner(join(import.meta.dir, "../.."));
  expect(Uint8Array.fromBase64(scannerModule).toHex()).toBe(compiled.toHex());
});

describe.each([...claudeVersions])("a transcript of Claude Code %s", (version) => {
  const original = readFileSync(storedTranscript(version));
  const originals = parse(original, new IdTable());

  test("is understood in every line", () => {
    expect(expectAgreement(original)).toBe(originals.length);
  });

  test("is understood the same in pieces of any size", () => {
    for (const chunk of [1, 2, 15, 16, 17, 63, 64, 65, 1000])
      expect(expectAgreement(original, chunk)).toBe(originals.length);
  });

  test("after any change of some bytes, what the scanner says is what the parser says", () => {
    const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const byte = fc.oneof(
      fc.constantFrom(...Buffer.from('"\\{}[]:,\n\r\t 0dDuen\0')),
      fc.integer({ min: 0, max: 255 }),
    );
    const change = fc.tuple(place, byte, fc.constantFrom("replace", "insert", "remove"));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 40 }), (changes) => {
        const changed = [...original];
        for (const [at, value, how] of changes) {
          const index = Math.floor(at * changed.length);
          changed.splice(index, how === "insert" ? 0 : 1, ...(how === "remove" ? [] : [value]));
        }
        expectAgreement(Buffer.from(changed));
      }),
      { numRuns: 60 },
    );
  });
});

const uuid = (index: number): string => `{"uuid":"${index}","parentUuid":"${index - 1}","type":"user"}`;
const calls = (count: number): string => {
  const blocks = Array.from({ length: count }, (_, index) => `{"type":"tool_use","id":"toolu_${index}"}`);
  return `{"uuid":"a","message":{"content":[${blocks.join(",")}]}}`;
};

const block = (members: string): string => `{"uuid":"a","type":"user","message":{"content":[{${members}}]}}`;
const field = (member: string): string => `{"uuid":"a",${member}}`;
const text = (words: string): string => `{"uuid":"${words}","type":"user","isMeta":true}`;
const lengths = Array.from({ length: 140 }, (_, length) => length);
const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);

const oddities: Record<string, string[]> = {
  "a key that is there twice": [
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
  "a key or a word that is written otherwise": [
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
  "what is empty": [
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
  "what is in another place": [
    '{"message":{"uuid":"a","type":"user","sessionId":"other"}}',
    '{"uuid":"a","message":{"message":{"content":[{"type":"tool_use","id":"x"}]}}}',
    '{"uuid":"a","message":{"content":{"type":"tool_use","id":"x"}}}',
    '{"uuid":"a","message":{"content":[[{"type":"tool_use","id":"x"}]]}}',
    '{"uuid":"a","message":[{"content":[{"type":"tool_use","id":"x"}]}]}',
    '{"message":{"content":[{"id":"x","type":"tool_use"}]},"type":"user","uuid":"a"}',
    block('"input":{"type":"tool_result","tool_use_id":"y"},"id":"x","type":"tool_use","tool_use_id":"z"'),
    '{"__proto__":{"uuid":"a"}}',
  ],
  "what is no object": [
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
  "a comma, colon or blank too many or too few": [
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
  "what is deep": [1, 10, 58, 59, 60, 61, 62, 63, 64, 65, 66, 130, 1_000].flatMap((depth) => [
    field(`"b":${nested(depth, "[", "]")}`),
    field(`"b":{"c":${nested(depth, "[", "]")}}`),
    field(`"b":{"c":${nested(depth, "[", "]")}]`),
    field(`"b":[${'{"c":'.repeat(depth)}1${"}".repeat(depth)}]`),
    field(`"b":[${'{"c":'.repeat(depth)}1${"}".repeat(depth)}}`),
  ]),
};

test.each(Object.entries(oddities))("%s", (_, list) => {
  for (const line of list) {
    // As the first one, behind another, and as one that is not ended.
    expectAgreement(Buffer.concat([lines(line, uuid(1), line, calls(2)), Buffer.from(line)]));
  }
});

test("of whatever looks like JSON, the scanner says what the parser says", () => {
  let told = 0;
  let all = 0;
  fc.assert(
    fc.property(fc.array(jsonLines, { minLength: 1, maxLength: 20 }), (list) => {
      all += list.length;
      told += expectAgreement(lines(...list));
    }),
    { numRuns: 1_500 },
  );
  // Otherwise nothing would have been compared.
  expect(told).toBeGreaterThan(all / 10);
});

describe("more than the scanner has room for:", () => {
  test("lines", () => {
    expect(expectAgreement(lines(...Array.from({ length: 3_000 }, (_, index) => uuid(index))))).toBe(3_000);
  });

  test("tool calls, in many lines", () => {
    expect(expectAgreement(lines(...Array.from({ length: 300 }, () => calls(20))))).toBe(300);
  });

  test("tool calls, in one line, which is then left to the parser", () => {
    expect(expectAgreement(lines(uuid(1), calls(400), calls(3_000), uuid(2)))).toBe(3);
  });

  test("bytes, in one line, which is then left to the parser", () => {
    const long = (length: number): string => `{"uuid":"long","text":"${"x".repeat(length)}"}`;
    const content = lines(uuid(1), long(3_000_000), uuid(2), long(40_000_000), uuid(3), uuid(4));
    expect(expectAgreement(content)).toBe(5);
    expect(expectAgreement(Buffer.concat([content, Buffer.from(long(20_000_000))]), 700_001)).toBe(5);
  });
});

test("a session that is not plain ASCII is compared by whoever is told of it", () => {
  const told = (id: string, named: string): boolean => {
    let isStranger = false;
    const visitor = {
      visitRecord: ({ stranger }: ScannedRecord) => void (isStranger = stranger !== undefined),
      visitLine: () => expect.unreachable(),
    };
    const reader = new LineScanner(scanner, { sessionId: id, isUtf8: byteTools.isUtf8 }, visitor);
    reader.feed(lines(`{"sessionId":"${named}"}`));
    return isStranger;
  };
  expect([told("one", "one"), told("one", "two"), told("one", "on")]).toEqual([false, true, true]);
  expect([told("é", "é"), told("x".repeat(5_000), "x".repeat(5_000))]).toEqual([true, true]);
});
