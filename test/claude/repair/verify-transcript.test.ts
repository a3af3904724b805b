import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import type { FileRange } from "../../../src/claude/repair/chain-check.ts";
import { startScanner } from "../../../src/claude/scanner/scanner.ts";
import { type Findings, TranscriptVerifier } from "../../../src/claude/repair/verify-transcript.ts";
import { byteTools } from "../../../src/io/files/byte-tools.ts";
import { claudeVersions } from "../../support/sandbox/claude-versions.ts";
import { severalDamages } from "../../support/transcripts/any-damage.ts";
import { applyDamage } from "../../support/transcripts/damage.ts";
import { storedTranscript } from "../../support/transcripts/stored-transcript.ts";

const sessionId = "session";

const scanner = startScanner();

function verify(content: string | Uint8Array, { isLive = false, chunk = 1 << 20, isScanned = true } = {}): Findings {
  const bytes = Buffer.from(content);
  const bytesOf = ({ offset, length }: FileRange): Buffer => bytes.subarray(offset, offset + length);
  const verifier = new TranscriptVerifier({
    ...byteTools,
    sessionId,
    isLive,
    isSame: (one, other) => bytesOf(one).equals(bytesOf(other)),
    readRecord: (range) => bytesOf(range).toString(),
    scanner: isScanned ? scanner : undefined,
  });
  for (let from = 0; from < bytes.length; from += chunk) verifier.feed(bytes.subarray(from, from + chunk));
  return verifier.finish();
}

const record = (uuid: string, parentUuid: string | null | undefined, more: object = {}): string =>
  JSON.stringify({
    parentUuid,
    isSidechain: false,
    type: "assistant",
    uuid,
    sessionId,
    message: { content: "words" },
    ...more,
  });
const prompt = (uuid: string, parentUuid: string | null, more: object = {}): string =>
  record(uuid, parentUuid, { type: "user", ...more });
const call = { message: { content: [{ type: "tool_use", id: "t", name: "Bash", input: {} }] } };
const result = { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t", content: "ok" }] } };
const boundary = { type: "system", subtype: "compact_boundary", logicalParentUuid: "b", message: undefined };
const file = (...lines: string[]): string => lines.map((line) => `${line}\n`).join("");

/** A prompt from "b" and its answer, with these fields in the prompt. */
const turn = (first: string, second: string, more: object = {}): string[] => [
  prompt(first, "b", more),
  record(second, first),
];
const counted = (promptIndex: number): object => ({ turnPosition: { promptIndex, turnIndex: 2 } });
const interrupted = { message: { content: [{ type: "text", text: "[Request interrupted by user]" }] } };

const a = prompt("a", null);
const b = record("b", "a");
const c = record("c", "b");
const healthy = file(a, b, c);

const cases: [name: string, content: string | Uint8Array, expected: string[]][] = [
  ["a healthy file", healthy, []],
  ["blank lines, and a carriage return", `${a}\r\n\n${b}\n`, []],
  ["U+2028, which ends no line", file(a, record("b", "a", { message: { content: "x\u2028y" } })), []],
  ["bookkeeping without a uuid", file(a, '{"type":"mode","mode":"plan","sessionId":"session"}', b), []],
  ["a compaction", file(a, b, record("k", null, boundary), record("s", "k")), []],
  ["a branch", file(a, b, c, prompt("d", "b")), []],
  ["two turns from one record", file(a, b, ...turn("c", "d"), ...turn("e", "f")), ["note left-branch 3"]],
  ["a /rewind", file(a, b, ...turn("c", "d", counted(2)), ...turn("e", "f", counted(2))), []],
  ["a prompt that was typed again before an answer", file(a, b, prompt("c", "b"), ...turn("d", "e")), []],
  [
    "a turn of a new process before the next turn of an older one",
    file(a, b, ...turn("c", "d", counted(1)), ...turn("e", "f", counted(2))),
    ["note forked-branch 3"],
  ],
  [
    "turns of two interfaces from one record",
    file(a, b, ...turn("c", "d", { entrypoint: "sdk-cli" }), ...turn("e", "f", { entrypoint: "cli" })),
    ["note forked-branch 3"],
  ],
  [
    "two turns that alternate",
    file(a, b, prompt("c", "b"), prompt("e", "b"), record("d", "c"), record("f", "e")),
    ["note forked-branch 3"],
  ],
  [
    "a turn from an earlier record, and the first branch goes on",
    file(a, b, ...turn("c", "d"), ...turn("e", "f"), prompt("g", "d"), record("h", "g")),
    ["note forked-branch 5"],
  ],
  [
    "a prompt of another process before the answer to the last one",
    file(a, prompt("c", "a"), record("d", "c"), record("e", "a")),
    ["note forked-branch 2"],
  ],
  [
    "an answer that the user cut off",
    file(a, prompt("i", "a", interrupted), record("b", "a"), prompt("n", "i"), record("m", "n")),
    [],
  ],
  ["a subagent's lines", file(a, record("x", null, { isSidechain: true }), b), []],
  ["swapped lines", file(b, a, c), []],
  ["a call and its result", file(a, record("b", "a", call), record("c", "b", result)), []],
  ["a record without an end of line", file(a) + b, ["damage torn-tail 2"]],
  ["a torn tail", `${healthy}{"uuid":"d","par`, ["damage torn-tail 4"]],
  ["NULs at the end", `${healthy}${"\0".repeat(9)}`, ["damage nul-run 4"]],
  ["NULs before a record", file(a, `\0\0\0${b}`, c), ["damage nul-run 2"]],
  ["NULs inside a record", file(a, b.replace("words", "wo\0\0ds"), c), ["damage nul-run 2"]],
  ["a line of NULs and the child of the record in it", file(a, "\0".repeat(50), c), ["damage nul-run 2"]],
  ["glued records", file(a, b + c), ["damage glued-records 2"]],
  ["a torn record glued to a whole one", file(a, b.slice(0, 40) + c), ["damage glued-records 2"]],
  ["not JSON", file(a, "garbage", c), ["damage invalid-json 2"]],
  ["JSON that is not an object", file(a, "[1]", c), ["damage invalid-json 2"]],
  ["not UTF-8", Buffer.from(healthy.replace("words", "w\xe4rds"), "latin1"), ["damage invalid-utf8 1"]],
  ["a high surrogate alone", file(a, b.replace("words", "\\ud83d words"), c), ["damage lone-surrogate 2"]],
  ["a low surrogate alone", file(a, b.replace("words", "\\ude00 words"), c), ["damage lone-surrogate 2"]],
  ["a surrogate pair", file(a, b.replace("words", "\\ud83d\\ude00 words"), c), []],
  ["an escaped backslash before ud83d", file(a, b.replace("words", "\\\\ud83d words"), c), []],
  ["a missing parent", file(a, c), ["damage missing-parent 2"]],
  ["a second root", file(a, b, record("c", null)), ["damage several-roots 3"]],
  ["a record without a parent field", file(a, b, record("c", undefined)), ["damage several-roots 3"]],
  ["a prompt that starts a new conversation", file(a, b, prompt("c", null)), ["note several-roots 3"]],
  ["a cycle", file(prompt("a", null), record("b", "c"), record("c", "b")), ["damage cycle 2"]],
  ["a record that is its own parent", file(a, record("b", "b")), ["damage cycle 2"]],
  ["the same record twice", file(a, b, b), ["note duplicate-uuid 3"]],
  ["another record with the same uuid", file(a, b, b.replace("words", "other")), ["note duplicate-uuid 3"]],
  ["a call without a result", file(a, record("b", "a", call), c), ["note orphan-tool-use 2"]],
  ["a result without a call", file(a, record("b", "a", result), c), ["note orphan-tool-result 2"]],
  ["another session", healthy.replaceAll('"session"', '"other"'), ["note wrong-session 1"]],
  ["an empty file", "", ["damage empty-file 0"]],
  ["a stub", file('{"type":"summary","summary":"x","leafUuid":"y"}'), ["note stub-file 0"]],
  ["a stub that was a conversation", file('{"type":"user","uuid":"a'), ["damage invalid-json 1", "damage stub-file 0"]],
];

describe("finds the defects of", () => {
  test.each(cases)("%s", (_name, content, expected) => {
    const found = verify(content).defects.map(({ kind, severity, line }) => `${severity} ${kind} ${line}`);
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  test.each(cases)("%s, byte by byte", (_name, content) => {
    expect(verify(content, { chunk: 1 })).toEqual(verify(content));
  });

  test.each(cases)("%s, without the scanner", (_name, content) => {
    expect(verify(content, { isScanned: false })).toEqual(verify(content));
  });
});

test("ignores an unfinished last line while Claude is writing", () => {
  const { damaged, defects } = verify(`${healthy}{"uuid":"d","par`, { isLive: true });
  expect({ damaged, severity: defects[0]?.severity }).toEqual({ damaged: false, severity: "note" });
});

test("a defect has its place, what Claude loses, and the repair", () => {
  const [defect] = verify(file(a, b, "garbage", record("d", "c"))).defects;
  expect(defect).toEqual({
    kind: "invalid-json",
    severity: "damage",
    line: 3,
    offset: a.length + b.length + 2,
    what: "a line that is not JSON",
    loses: "this record; in Claude up to 2.1.36 everything before it (2 records)",
    repair: "the line is removed, the chain is linked around it",
  });
});

test("reports a thousand defects and counts the rest", () => {
  const { defects, more } = verify(file(a, ...Array.from({ length: 1_500 }, () => "garbage")));
  expect([defects.length, more]).toEqual([1_000, 500]);
});

test.each([...claudeVersions])(
  "a stored conversation of Claude Code %s, with branches and a compaction, is clean",
  (version) => {
    const { defects, records } = verify(readFileSync(storedTranscript(version)));
    expect(defects.filter(({ kind }) => kind !== "wrong-session")).toEqual([]);
    expect(records).toBeGreaterThan(30);
  },
);

test.each([...claudeVersions])(
  "a damaged conversation of Claude Code %s: the same is found without the scanner",
  (version) => {
    const original = readFileSync(storedTranscript(version));
    fc.assert(
      fc.property(severalDamages, (list) => {
        const damaged = list.reduce(applyDamage, original);
        expect(verify(damaged)).toEqual(verify(damaged, { isScanned: false }));
      }),
      { numRuns: 200 },
    );
  },
);
