// The scanner may leave a line to the parser. What it reports itself must be what the parser reports.
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compileScanner } from "../../../scripts/compile-scanner.ts";
import { loneSurrogates } from "../../../src/claude/repair/broken-text.ts";
import { IdTable } from "../../../src/claude/scanner/id-table.ts";
import { LineScanner } from "../../../src/claude/scanner/line-scanner.ts";
import type { ScannedRecord } from "../../../src/claude/scanner/scanned-record.ts";
import { scannerModule } from "../../../src/claude/scanner/scanner-module.ts";
import { type Scanner, startScanner } from "../../../src/claude/scanner/scanner.ts";
import { parseRecord, TranscriptReader } from "../../../src/claude/transcript/transcript.ts";
import { byteTools } from "../../../src/io/files/byte-tools.ts";
import { claudeVersions } from "../../support/sandbox/claude-versions.ts";
import { jsonLines } from "../../support/transcripts/json-text.ts";
import { storedTranscript } from "../../support/transcripts/stored-transcript.ts";
import { calls, oddities, uuid } from "../../support/transcripts/odd-lines.ts";

const sessionId = "session";
const scanner = startScanner() as Scanner;

/** What the scanner or the parser reports about a line; ids as numbers of one table. */
interface Said {
  number: number;
  offset: number;
  length: number;
  ended: boolean;
  /** Undefined when the scanner leaves the line to the parser. */
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
  const { isBoundary, isSidechain, isSystem, isSpoken, otherSession, hasUuid } = line;
  const session = otherSession && byteTools.latin1(otherSession);
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

/** What the parser reports; undefined for a damaged line. */
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

/** Fails when the scanner reports anything else than the parser; returns the number of lines that it reported on. */
function expectAgreement(content: Uint8Array, chunk?: number): number {
  const ids = new IdTable();
  const parsed = parse(content, ids);
  const scanned = scan(content, ids, chunk);
  const known = parsed.map((line, index) => (scanned[index]?.record ? line : { ...line, record: undefined }));
  expect(scanned).toEqual(known);
  return scanned.filter(({ record }) => record).length;
}

const lines = (...list: string[]): Buffer => Buffer.from(list.map((line) => `${line}\n`).join(""));

test("the built-in module matches its source", () => {
  const compiled = compileScanner(join(import.meta.dir, "../../.."));
  expect(Uint8Array.fromBase64(scannerModule).toHex()).toBe(compiled.toHex());
});

describe.each([...claudeVersions])("a transcript of Claude Code %s", (version) => {
  const original = readFileSync(storedTranscript(version));
  const originals = parse(original, new IdTable());

  test("every line is understood", () => {
    expect(expectAgreement(original)).toBe(originals.length);
  });

  test("is read the same in chunks of any size", () => {
    for (const chunk of [1, 2, 15, 16, 17, 63, 64, 65, 1000])
      expect(expectAgreement(original, chunk)).toBe(originals.length);
  });

  test("scanner and parser agree after any change of some bytes", () => {
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

test.each(Object.entries(oddities))("%s", (_, list) => {
  for (const line of list) {
    // As the first line, after another line, and as an unfinished line.
    expectAgreement(Buffer.concat([lines(line, uuid(1), line, calls(2)), Buffer.from(line)]));
  }
});

test("scanner and parser agree on any text that looks like JSON", () => {
  let reported = 0;
  let all = 0;
  fc.assert(
    fc.property(fc.array(jsonLines, { minLength: 1, maxLength: 20 }), (list) => {
      all += list.length;
      reported += expectAgreement(lines(...list));
    }),
    { numRuns: 1_500 },
  );
  // Otherwise nothing was compared.
  expect(reported).toBeGreaterThan(all / 10);
});

describe("reads more than the scanner has room for:", () => {
  test("lines", () => {
    expect(expectAgreement(lines(...Array.from({ length: 3_000 }, (_, index) => uuid(index))))).toBe(3_000);
  });

  test("tool calls in many lines", () => {
    expect(expectAgreement(lines(...Array.from({ length: 300 }, () => calls(20))))).toBe(300);
  });

  test("tool calls in one line, which it leaves to the parser", () => {
    expect(expectAgreement(lines(uuid(1), calls(400), calls(3_000), uuid(2)))).toBe(3);
  });

  test("bytes in one line, which it leaves to the parser", () => {
    const long = (length: number): string => `{"uuid":"long","text":"${"x".repeat(length)}"}`;
    const content = lines(uuid(1), long(3_000_000), uuid(2), long(40_000_000), uuid(3), uuid(4));
    expect(expectAgreement(content)).toBe(5);
    expect(expectAgreement(Buffer.concat([content, Buffer.from(long(20_000_000))]), 700_001)).toBe(5);
  });
});

test("leaves the comparison of a session id that is not ASCII to the visitor", () => {
  const isReported = (id: string, named: string): boolean => {
    let isOther = false;
    const visitor = {
      visitRecord: ({ otherSession }: ScannedRecord) => void (isOther = otherSession !== undefined),
      visitLine: () => expect.unreachable(),
    };
    const reader = new LineScanner(scanner, { sessionId: id, isUtf8: byteTools.isUtf8 }, visitor);
    reader.feed(lines(`{"sessionId":"${named}"}`));
    return isOther;
  };
  expect([isReported("one", "one"), isReported("one", "two"), isReported("one", "on")]).toEqual([false, true, true]);
  expect([isReported("é", "é"), isReported("x".repeat(5_000), "x".repeat(5_000))]).toEqual([true, true]);
});
