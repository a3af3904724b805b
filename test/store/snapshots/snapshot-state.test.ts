import { describe, expect, test } from "bun:test";
import { newState, parseState } from "../../../src/store/snapshots/snapshot-state.ts";

const id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";
const mark = { n: 1, time: 5, reason: "Stop", size: 10, lines: 1, contextTokens: null, lastStep: null, hash: "ab" };
const whole = { ...newState(id, "/t.jsonl"), file: "1:2", size: 10, lines: 1, chain: "ab", count: 1, marks: [mark] };
const packed = { frame: 4, frames: [3, 3, 2] };
const parse = (changes: object): unknown => parseState(JSON.stringify({ ...whole, ...changes }), id);

test("reads back an empty state, one with marks and a packed one", () => {
  expect(parseState(JSON.stringify(newState(id, "")), id)).toEqual(newState(id, ""));
  expect(parse({})).toEqual(whole);
  expect(parse({ packed })).toEqual({ ...whole, packed });
});

test("rejects the state of another session", () => {
  expect(parseState(JSON.stringify(whole), "another")).toBeUndefined();
});

describe("rejects an invalid state", () => {
  test.each(["", "{torn", "null", "[]", "7"])("the text %p", (text) => {
    expect(parseState(text, id)).toBeUndefined();
  });
  test.each<[what: string, changes: object]>([
    ["of a later version", { version: 2 }],
    ["with a negative size", { size: -1 }],
    ["with half a byte", { size: 10.5 }],
    ["without a count", { count: undefined }],
    ["with an invalid hash chain", { chain: "xyz" }],
    ["without its transcript's place", { transcriptPath: undefined }],
    ["without marks", { marks: undefined }],
    ["without its past", { past: {} }],
    ["whose last mark is at another place than its end", { size: 11 }],
    ["whose end has no mark", { marks: [] }],
    ["with a mark that has no hash", { marks: [{ ...mark, hash: undefined }] }],
    ["with an invalid mark", { marks: [null] }],
    ["packed, with a frame of no bytes", { packed: { ...packed, frame: 0 } }],
    ["packed, with a frame too few", { packed: { ...packed, frames: [3, 3] } }],
    ["packed, with an empty frame", { packed: { ...packed, frames: [3, 3, 0] } }],
    ["packed into nothing", { packed: null }],
  ])("%s", (_, changes) => {
    expect(parse(changes)).toBeUndefined();
  });
});
