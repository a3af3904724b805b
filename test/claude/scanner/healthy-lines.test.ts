// As long as all lines are healthy, the scanner passes none of them to the visitor. The findings must be the same as when every
// line is parsed.
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import type { FileRange } from "../../../src/claude/repair/chain-check.ts";
import { LineScanner } from "../../../src/claude/scanner/line-scanner.ts";
import { type Scanner, startScanner } from "../../../src/claude/scanner/scanner.ts";
import { type Findings, TranscriptVerifier } from "../../../src/claude/repair/verify-transcript.ts";
import { byteTools } from "../../../src/io/files/byte-tools.ts";
import { severalDamages } from "../../support/transcripts/any-damage.ts";
import { claudeVersions } from "../../support/sandbox/claude-versions.ts";
import { applyDamage } from "../../support/transcripts/damage.ts";
import { storedTranscript } from "../../support/transcripts/stored-transcript.ts";

const scanner = startScanner() as Scanner;

interface Reading {
  sessionId: string | undefined;
  chunk?: number;
}

function verify(bytes: Buffer, { sessionId, chunk = 1 << 20 }: Reading, isScanned: boolean): Findings {
  const bytesOf = ({ offset, length }: FileRange): Buffer => bytes.subarray(offset, offset + length);
  const verifier = new TranscriptVerifier({
    ...byteTools,
    sessionId,
    isLive: false,
    isSame: (one, other) => bytesOf(one).equals(bytesOf(other)),
    readRecord: (range) => bytesOf(range).toString(),
    scanner: isScanned ? scanner : undefined,
  });
  for (let from = 0; from < bytes.length; from += chunk) verifier.feed(bytes.subarray(from, from + chunk));
  return verifier.finish();
}

/** Whether the visitor received no single line. */
function isQuiet(bytes: Buffer, { sessionId, chunk = 1 << 20 }: Reading): boolean {
  let visited = 0;
  let records = 0;
  const reader = new LineScanner(
    scanner,
    { sessionId, isUtf8: byteTools.isUtf8 },
    { visitRecord: () => visited++, visitLine: () => visited++, visitHealthy: (counts) => (records = counts.records) },
  );
  for (let from = 0; from < bytes.length; from += chunk) reader.feed(bytes.subarray(from, from + chunk));
  reader.end();
  const lines = bytes.toString("latin1").split("\n").length - 1;
  // The visitor receives all lines, each once, or none.
  expect(visited + records).toBe(visited === 0 ? lines : lines + (bytes.at(-1) === 0x0a ? 0 : 1));
  return visited === 0;
}

/** Fails when the findings differ from those without the scanner. Returns them, and whether the visitor received no line. */
function look(
  content: string | Buffer,
  reading: Reading = { sessionId: "session" },
): { kinds: string[]; quiet: boolean } {
  const bytes = Buffer.from(content);
  const findings = verify(bytes, reading, true);
  expect(findings).toEqual(verify(bytes, reading, false));
  return { kinds: findings.defects.map(({ kind }) => kind), quiet: isQuiet(bytes, reading) };
}

interface Line {
  uuid?: unknown;
  parentUuid?: unknown;
  [member: string]: unknown;
}

const line = (members: Line): string => `${JSON.stringify({ type: "user", sessionId: "session", ...members })}\n`;
const content = (...blocks: object[]): Line => ({ message: { content: blocks } });
const call = (id: string): object => ({ type: "tool_use", id });
const result = (id: string): object => ({ type: "tool_result", tool_use_id: id });
/** A chain of records, starting with number `first`. */
const chain = (count: number, first = 0): string[] =>
  Array.from({ length: count }, (_, index) => {
    const number = first + index;
    return line({ uuid: `u${number}`, parentUuid: number === 0 ? null : `u${number - 1}` });
  });

describe.each([...claudeVersions])("a transcript of Claude Code %s", (version) => {
  const original = readFileSync(storedTranscript(version));
  const own = /"sessionId":"([^"]+)"/.exec(original.toString("latin1"))?.[1];

  test("is healthy in chunks of any size", () => {
    for (const chunk of [1, 100, 5_000, original.length])
      // It has branches, which the visitor examines.
      expect(look(original, { sessionId: undefined, chunk })).toEqual({ kinds: [], quiet: false });
  });

  test("has the same defects without the scanner after any damage", () => {
    fc.assert(
      fc.property(severalDamages, fc.constantFrom(undefined, own), (list, sessionId) => {
        look(list.reduce(applyDamage, original), { sessionId, chunk: 7_000 });
      }),
      { numRuns: 150 },
    );
  });
});

describe("passes no line to the visitor for", () => {
  const root = line({ uuid: "a", parentUuid: null });
  const child = line({ uuid: "b", parentUuid: "a" });
  test.each<[name: string, lines: string[]]>([
    ["a chain", [root, child]],
    [
      "a second step of the same turn",
      [root, ...["b", "c"].map((uuid) => line({ uuid, parentUuid: "a", type: "assistant" }))],
    ],
    ["a compaction", [root, line({ uuid: "c", parentUuid: null, type: "system", subtype: "compact_boundary" })]],
    ["a subagent", [root, line({ uuid: "c", parentUuid: null, isSidechain: true }), child]],
    ["bookkeeping", [line({ leafUuid: "x" }), root, line({ leafUuid: "x" })]],
    ["no session", [line({ uuid: "a", sessionId: undefined })]],
    [
      "calls and their results",
      [root, line({ uuid: "b", parentUuid: "a", ...content(call("1"), call("2")) })].concat(
        line({ uuid: "c", parentUuid: "b", ...content(result("1")) }),
        line({ uuid: "d", parentUuid: "c", ...content(result("2")) }),
      ),
    ],
    ["a repeated call", [line({ uuid: "a", ...content(call("1"), result("1"), call("1"), result("1")) })]],
    ["a uuid that is also a call's id", [line({ uuid: "a", ...content(call("a"), result("a")) })]],
    ["a call in a record without a uuid", [root, line(content(call("1")))]],
  ])("%s", (_name, lines) => {
    expect(look(lines.join(""))).toEqual({ kinds: [], quiet: true });
  });

  test("an empty file and a file without a conversation", () => {
    expect(look("")).toEqual({ kinds: ["empty-file"], quiet: true });
    expect(look(line({ leafUuid: "x" }))).toEqual({ kinds: ["stub-file"], quiet: true });
    expect(look(line({ uuid: "a", type: "progress" }))).toEqual({ kinds: ["stub-file"], quiet: true });
  });
});

describe("after thousands of healthy lines, finds", () => {
  // More ids than the initial table and the waiting list hold.
  const many = 60_000;
  const lines = chain(many);
  const next = { uuid: `u${many}`, parentUuid: `u${many - 1}` };

  test("nothing in further healthy lines", () => {
    expect(look(lines.join(""))).toEqual({ kinds: [], quiet: true });
  });

  test.each<[name: string, last: string | Buffer, kinds: string[]]>([
    ["a branch from the beginning", line({ ...next, parentUuid: "u0" }), []],
    ["a missing parent", line({ ...next, parentUuid: "x" }), ["missing-parent"]],
    ["a record that is its own parent", line({ ...next, parentUuid: next.uuid }), ["cycle"]],
    ["a second root", line({ ...next, parentUuid: null, type: "assistant" }), ["several-roots"]],
    ["the first record again", lines[0] ?? "", ["duplicate-uuid"]],
    ["the previous record again", lines.at(-1) ?? "", ["duplicate-uuid"]],
    ["another session", line({ ...next, sessionId: "other" }), ["wrong-session"]],
    ["a call without a result", line({ ...next, ...content(call("1")) }), ["orphan-tool-use"]],
    ["a result without a call", line({ ...next, ...content(result("1")) }), ["orphan-tool-result"]],
    ["a result before its call", line({ ...next, ...content(result("1"), call("1")) }), []],
    ["a second result", line({ ...next, ...content(call("1"), result("1"), result("1")) }), []],
    ["an empty line", "\n", []],
    ["a line that only the parser understands", line(next).replace('"uuid"', '"u\\u0075id"'), []],
    ["a line that is not JSON", "garbage\n", ["invalid-json"]],
    ["a torn record", '{"uuid":', ["torn-tail"]],
    ["bytes that are not UTF-8", Buffer.from(line({ ...next, text: "\xe4" }), "latin1"), ["invalid-utf8"]],
    ["a line longer than the scanner's memory", line({ ...next, text: "x".repeat(17_000_000) }), []],
  ])("%s", (_name, last, kinds) => {
    const bytes = Buffer.concat([Buffer.from(lines.join("")), Buffer.from(last)]);
    expect(look(bytes)).toEqual({ kinds, quiet: false });
    // With more lines after it, so that those are passed to the visitor as well.
    look(Buffer.concat([bytes, Buffer.from(`\n${chain(2_000, many + 1).join("")}`)]));
  });

  test("nothing wrong in more open calls than the scanner remembers", () => {
    const waiting = Array.from({ length: 300 }, (_, index) => `t${index}`);
    const calls = line({ ...next, ...content(...waiting.map(call)) });
    const results = line({ uuid: "r", parentUuid: next.uuid, ...content(...waiting.map(result)) });
    expect(look([...lines, calls, results].join(""))).toEqual({ kinds: [], quiet: false });
  });
});

test("finds the same defects without the scanner for any relations between records", () => {
  const id = fc.integer({ min: 0, max: 12 });
  const block = fc
    .tuple(fc.constantFrom(call, result), fc.constantFrom("1", "2", "3"))
    .map(([make, name]) => make(name));
  // Mostly healthy records.
  const change = fc.record({
    uuid: fc.option(fc.oneof({ weight: 9, arbitrary: fc.constant(-1) }, { weight: 1, arbitrary: id }), { freq: 8 }),
    back: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(1, 1, 1, 2, 3) },
      { weight: 1, arbitrary: fc.integer({ min: -2, max: 9 }) },
    ),
    more: fc.constantFrom<Line>(
      {},
      {},
      {},
      { isSidechain: true },
      { subtype: "compact_boundary" },
      { sessionId: undefined },
    ),
    isRoot: fc.oneof({ weight: 19, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    type: fc.constantFrom("user", "assistant", "system"),
    blocks: fc.oneof(
      { weight: 6, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(block, { maxLength: 4 }) },
    ),
  });
  let quiet = 0;
  let visited = 0;
  fc.assert(
    fc.property(fc.array(change, { maxLength: 14 }), (changes) => {
      const lines = changes.map(({ uuid, back, more, isRoot, type, blocks }, index) => {
        const parentUuid = isRoot || index < back ? null : `u${index - back}`;
        return line({
          uuid: uuid === null ? undefined : `u${uuid < 0 ? index : uuid}`,
          parentUuid,
          type,
          ...more,
          ...content(...blocks),
        });
      });
      if (look(lines.join("")).quiet) quiet++;
      else visited++;
    }),
    { numRuns: 3_000 },
  );
  // Otherwise one of the two code paths would not have run.
  expect(Math.min(quiet, visited)).toBeGreaterThan(300);
});

describe("also checks, line by line,", () => {
  const root = line({ parentUuid: null, uuid: "aa" });
  const child = line({ parentUuid: "aa", uuid: "bb" });
  const alone = { sessionId: "session", chunk: root.length };

  test("bytes that are not UTF-8", () => {
    const bad = Buffer.from(line({ parentUuid: "aa", uuid: "\xe4b" }), "latin1");
    expect(look(Buffer.concat([Buffer.from(root), bad]), alone)).toEqual({ kinds: ["invalid-utf8"], quiet: false });
  });

  test("an empty parent", () => {
    const nameless = line({ parentUuid: "", uuid: "cccc" });
    expect(look(root + child + nameless, alone)).toEqual({ kinds: ["missing-parent"], quiet: false });
  });

  test("a record that is its own parent and has the uuid of the line before", () => {
    const own = line({ parentUuid: "cc", uuid: "cc" });
    expect(look(root + child + own, alone)).toEqual({ kinds: ["cycle"], quiet: false });
  });
});
