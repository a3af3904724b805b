// As long as nothing is to be said of any line, the scanner keeps all of them to itself. What is found must be the same as
// when every line is parsed, whatever it is that it stumbles upon at last.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import type { Stretch } from "../../src/claude/chain-check.ts";
import { LineScanner } from "../../src/claude/line-scanner.ts";
import { type Scanner, startScanner } from "../../src/claude/scanner.ts";
import { type Findings, TranscriptVerifier } from "../../src/claude/verify-transcript.ts";
import { byteTools } from "../../src/io/byte-tools.ts";
import { severalDamages } from "../support/any-damage.ts";
import { claudeVersions } from "../support/claude-versions.ts";
import { applyDamage } from "../support/damage.ts";
import { storedTranscript } from "../support/stored-transcript.ts";

setDefaultTimeout(120_000);

const scanner = startScanner() as Scanner;

interface Reading {
  sessionId: string | undefined;
  chunk?: number;
}

function verify(bytes: Buffer, { sessionId, chunk = 1 << 20 }: Reading, isScanned: boolean): Findings {
  const stretch = ({ offset, length }: Stretch): Buffer => bytes.subarray(offset, offset + length);
  const verifier = new TranscriptVerifier({
    ...byteTools,
    sessionId,
    isLive: false,
    isSame: (one, other) => stretch(one).equals(stretch(other)),
    scanner: isScanned ? scanner : undefined,
  });
  for (let from = 0; from < bytes.length; from += chunk) verifier.feed(bytes.subarray(from, from + chunk));
  return verifier.finish();
}

/** Whether nobody was told of any single line. */
function isQuiet(bytes: Buffer, { sessionId, chunk = 1 << 20 }: Reading): boolean {
  let told = 0;
  let records = 0;
  const reader = new LineScanner(
    scanner,
    { sessionId, isUtf8: byteTools.isUtf8 },
    { visitRecord: () => told++, visitLine: () => told++, visitHealthy: (counts) => (records = counts.records) },
  );
  for (let from = 0; from < bytes.length; from += chunk) reader.feed(bytes.subarray(from, from + chunk));
  reader.end();
  const lines = bytes.toString("latin1").split("\n").length - 1;
  // Of all or of none, and each once.
  expect(told + records).toBe(told === 0 ? lines : lines + (bytes.at(-1) === 0x0a ? 0 : 1));
  return told === 0;
}

/** Fails when anything else is found than without the scanner. Tells what is found, and whether the scanner kept all to itself. */
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
/** One after the other, from `first` on. */
const chain = (count: number, first = 0): string[] =>
  Array.from({ length: count }, (_, index) => {
    const number = first + index;
    return line({ uuid: `u${number}`, parentUuid: number === 0 ? null : `u${number - 1}` });
  });

describe.each([...claudeVersions])("a transcript of Claude Code %s", (version) => {
  const original = readFileSync(storedTranscript(version));
  const own = /"sessionId":"([^"]+)"/.exec(original.toString("latin1"))?.[1];

  test("is healthy in every line, in pieces of any size", () => {
    for (const chunk of [1, 100, 5_000, original.length])
      expect(look(original, { sessionId: undefined, chunk })).toEqual({ kinds: [], quiet: true });
  });

  test("after any damage, the same is found without the scanner", () => {
    fc.assert(
      fc.property(severalDamages, fc.constantFrom(undefined, own), (list, sessionId) => {
        look(list.reduce(applyDamage, original), { sessionId, chunk: 7_000 });
      }),
      { numRuns: 150 },
    );
  });
});

describe("nothing is to be said of", () => {
  const root = line({ uuid: "a", parentUuid: null });
  const child = line({ uuid: "b", parentUuid: "a" });
  test.each<[name: string, lines: string[]]>([
    ["a chain", [root, child]],
    ["a branch", [root, child, line({ uuid: "c", parentUuid: "a" })]],
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
    ["a call that is there again", [line({ uuid: "a", ...content(call("1"), result("1"), call("1"), result("1")) })]],
    ["a uuid that is also a call's id", [line({ uuid: "a", ...content(call("a"), result("a")) })]],
    ["ids of calls where no uuid is", [root, line(content(call("1")))]],
  ])("%s", (_name, lines) => {
    expect(look(lines.join(""))).toEqual({ kinds: [], quiet: true });
  });

  test("no file at all, and one without a conversation", () => {
    expect(look("")).toEqual({ kinds: ["empty-file"], quiet: true });
    expect(look(line({ leafUuid: "x" }))).toEqual({ kinds: ["stub-file"], quiet: true });
    expect(look(line({ uuid: "a", type: "progress" }))).toEqual({ kinds: ["stub-file"], quiet: true });
  });
});

describe("behind thousands of healthy lines,", () => {
  // More than the table of ids begins with, and more than wait for it at once.
  const many = 60_000;
  const lines = chain(many);
  const next = { uuid: `u${many}`, parentUuid: `u${many - 1}` };

  test("more of them", () => {
    expect(look(lines.join(""))).toEqual({ kinds: [], quiet: true });
  });

  test.each<[name: string, last: string | Buffer, kinds: string[], isQuiet?: boolean]>([
    ["a branch from the beginning", line({ ...next, parentUuid: "u0" }), [], true],
    ["a parent that is nowhere", line({ ...next, parentUuid: "x" }), ["missing-parent"]],
    ["its own parent", line({ ...next, parentUuid: next.uuid }), ["cycle"]],
    ["a second root", line({ ...next, parentUuid: null, type: "assistant" }), ["several-roots"]],
    ["the first one again", lines[0] ?? "", ["duplicate-uuid"]],
    ["the one before again", lines.at(-1) ?? "", ["duplicate-uuid"]],
    ["another session", line({ ...next, sessionId: "other" }), ["wrong-session"]],
    ["a call without a result", line({ ...next, ...content(call("1")) }), ["orphan-tool-use"]],
    ["a result without a call", line({ ...next, ...content(result("1")) }), ["orphan-tool-result"]],
    ["a result before its call", line({ ...next, ...content(result("1"), call("1")) }), []],
    ["a second result", line({ ...next, ...content(call("1"), result("1"), result("1")) }), []],
    ["an empty line", "\n", []],
    ["a line that only the parser understands", line(next).replace('"uuid"', '"u\\u0075id"'), []],
    ["a line that is no JSON", "garbage\n", ["invalid-json"]],
    ["a torn one", '{"uuid":', ["torn-tail"]],
    ["bytes that are no UTF-8", Buffer.from(line({ ...next, text: "\xe4" }), "latin1"), ["invalid-utf8"]],
    ["a line longer than the scanner's memory", line({ ...next, text: "x".repeat(17_000_000) }), []],
  ])("%s", (_name, last, kinds, quiet = false) => {
    const bytes = Buffer.concat([Buffer.from(lines.join("")), Buffer.from(last)]);
    expect(look(bytes)).toEqual({ kinds, quiet });
    // And with more behind it, so that what follows is told of as well.
    look(Buffer.concat([bytes, Buffer.from(`\n${chain(2_000, many + 1).join("")}`)]));
  });

  test("more calls that wait than the scanner remembers", () => {
    const waiting = Array.from({ length: 300 }, (_, index) => `t${index}`);
    const calls = line({ ...next, ...content(...waiting.map(call)) });
    const results = line({ uuid: "r", parentUuid: next.uuid, ...content(...waiting.map(result)) });
    expect(look([...lines, calls, results].join(""))).toEqual({ kinds: [], quiet: false });
  });
});

test("whatever the records say of each other, the same is found without the scanner", () => {
  const id = fc.integer({ min: 0, max: 12 });
  const block = fc
    .tuple(fc.constantFrom(call, result), fc.constantFrom("1", "2", "3"))
    .map(([make, name]) => make(name));
  // Mostly what would be healthy in its place.
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
  let told = 0;
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
      else told++;
    }),
    { numRuns: 3_000 },
  );
  // Otherwise one of the two ways would not have been looked at.
  expect(Math.min(quiet, told)).toBeGreaterThan(300);
});

describe("line by line,", () => {
  const root = line({ parentUuid: null, uuid: "aa" });
  const child = line({ parentUuid: "aa", uuid: "bb" });
  const alone = { sessionId: "session", chunk: root.length };

  test("bytes that are no UTF-8", () => {
    const bad = Buffer.from(line({ parentUuid: "aa", uuid: "\xe4b" }), "latin1");
    expect(look(Buffer.concat([Buffer.from(root), bad]), alone)).toEqual({ kinds: ["invalid-utf8"], quiet: false });
  });

  test("a parent without a name", () => {
    const nameless = line({ parentUuid: "", uuid: "cccc" });
    expect(look(root + child + nameless, alone)).toEqual({ kinds: ["missing-parent"], quiet: false });
  });

  test("its own parent, where the line before had its uuid", () => {
    const own = line({ parentUuid: "cc", uuid: "cc" });
    expect(look(root + child + own, alone)).toEqual({ kinds: ["cycle"], quiet: false });
  });
});
