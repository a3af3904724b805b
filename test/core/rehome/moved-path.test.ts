import { expect, test } from "bun:test";
import { movedPath } from "../../../src/core/rehome/moved-path.ts";
import { relocateRecord } from "../../../src/core/rehome/relocate-record.ts";
import { parseRehomeRecord } from "../../../src/core/rehome/rehome-record.ts";
import { sameProject } from "../../../src/core/rehome/same-project.ts";

test.each([
  ["/a/b", "/a/b", "/c", "/c"],
  ["/a/b/sub/x", "/a/b", "/c", "/c/sub/x"],
  ["/a/b-c", "/a/b", "/c", undefined],
  ["/a", "/a/b", "/c", undefined],
  ["C:\\w\\sub", "C:\\w", "D:\\v", "D:\\v\\sub"],
  // Moved into its old directory: what is in the new place is already right.
  ["/w", "/w", "/w/main", "/w/main"],
  ["/w/main/src", "/w", "/w/main", undefined],
  ["/w/main", "/w/main", "/w", "/w"],
] as const)("%s after a move from %s to %s is %p", (path, from, to, expected) => {
  expect(movedPath(path, { from, to })).toBe(expected);
});

const moves = [
  { from: "/p/-a-b/s.jsonl", to: "/p/-c/s.jsonl" },
  { from: "/a/b", to: "/c" },
];

test("a record changes only in its paths, and its undo gives the same bytes", () => {
  const state = JSON.stringify({
    version: 1,
    transcriptPath: "/p/-a-b/s.jsonl",
    cwd: "/a/b/sub",
    marks: [{ lastStep: "cat /a/b/x" }],
  });
  const moved = relocateRecord("snapshot", state, moves);
  expect(moved).toBe(state.replace("/p/-a-b/s.jsonl", "/p/-c/s.jsonl").replace('"/a/b/sub"', '"/c/sub"'));
  const back = moves.map(({ from, to }) => ({ from: to, to: from }));
  expect(relocateRecord("snapshot", moved ?? "", back)).toBe(state);
});

test.each([
  [
    "checkpoint",
    `{\n  "where": {\n    "directory": "/a/b"\n  }\n}\n`,
    `{\n  "where": {\n    "directory": "/c"\n  }\n}\n`,
  ],
  ["run", `{"plan":{"cwd":"/a/b","task":"/a/b"}}\n`, `{"plan":{"cwd":"/c","task":"/a/b"}}\n`],
  ["host", `{"plan":{"directory":"/a/bc"},"session":null}`, `{"plan":{"directory":"/a/bc"},"session":null}`],
  ["checkpoint-text", "in `/a/b`, /a/b/x and /a/b-c", "in `/c`, /c/x and /a/b-c"],
] as const)("a %s keeps its format", (kind, before, after) => {
  expect(relocateRecord(kind, before, moves)).toBe(after);
});

test("a text that is no record is left alone", () => {
  for (const text of ["", "{", "[]", "null"]) expect(relocateRecord("run", text, moves)).toBeUndefined();
});

test("a damaged record of a rehome is not used", () => {
  const record = {
    version: 1,
    number: 1,
    time: 1,
    move: { from: "/a", to: "/b" },
    state: "done",
    moves: [],
    steps: [{ kind: "move", from: "/x", to: "/y", file: "1:2", owner: { kind: "none" } }],
  };
  expect(parseRehomeRecord(JSON.stringify(record))).toBeDefined();
  for (const damage of [
    { ...record, steps: [{ ...record.steps[0], to: 7 }] },
    { ...record, steps: [{ kind: "remove", path: "/x", owner: { kind: "none" } }] },
    { ...record, state: "later" },
    { ...record, move: undefined },
  ]) {
    expect(parseRehomeRecord(JSON.stringify(damage))).toBeUndefined();
  }
});

const project = { directory: "1:2:3", roots: ["abc"], remote: "https://host/a.git" };

test.each([
  ["the same directory", project, { ...project, roots: [], remote: null }, "directory"],
  ["a copy on another disk", project, { ...project, directory: "9:9:9" }, "history"],
  ["the same template, another remote", project, { ...project, directory: "9:9:9", remote: null }, undefined],
  ["no history", { ...project, roots: [] }, { ...project, directory: "9:9:9" }, undefined],
  [
    "nothing known",
    { directory: null, roots: [], remote: null },
    { directory: null, roots: [], remote: null },
    undefined,
  ],
] as const)("%s", (_, one, other, expected) => {
  expect(sameProject(one, other)).toBe(expected);
});
