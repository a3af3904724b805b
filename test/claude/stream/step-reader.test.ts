import { describe, expect, test } from "bun:test";
import { lastSentence, StepReader, withoutMarkers } from "../../../src/claude/stream/step-reader.ts";
import { readStreamLine, type StreamEvent } from "../../../src/claude/stream/stream.ts";
import { storedStream } from "../../support/transcripts/stored-stream.ts";

const said = (text: string, bySubagent = false): StreamEvent => ({ kind: "text", text, bySubagent });
const mark = (step: string): string => `<!-- CHECKPOINT: ${step} -->`;
const called = (id: string, name: string, input: object, bySubagent = false): StreamEvent => ({
  kind: "tool",
  name,
  id,
  input: { ...input },
  bySubagent,
});
const answered = (id: string, details: unknown = {}, failed = false): StreamEvent => ({
  kind: "tool-result",
  id,
  failed,
  details,
});
const stepsIn = (events: readonly StreamEvent[], reader = new StepReader()): string[] =>
  events.flatMap((event) => reader.read(event));
const todos = (...pairs: [content: string, status: string][]) => ({
  todos: pairs.map(([content, status]) => ({ content, status })),
});

describe("markers", () => {
  test.each<[string, string[]]>([
    [mark("one"), ["one"]],
    [`Before ${mark("one")} between\n${mark("two")}\nafter`, ["one", "two"]],
    ["<!--CHECKPOINT:tight-->", ["tight"]],
    ["<!-- CHECKPOINT: on\n  two lines -->", ["on two lines"]],
    [`${mark("one")}${mark("one")}`, ["one"]],
    ["<!-- CHECKPOINT: -->", []],
    ["<!-- CHECKPOINT: not closed", []],
    ["<!-- checkpoint: another word -->", []],
    ["CHECKPOINT: only talked about", []],
    ["", []],
  ])("%p are the steps %p", (text, steps) => {
    expect(stepsIn([said(text)])).toEqual(steps);
  });

  test("ignores a repeated step and a step of an earlier attempt", () => {
    expect(stepsIn([said(mark("one")), said(mark("one ")), said(mark("two"))])).toEqual(["one", "two"]);
    expect(stepsIn([said(mark("one")), said(mark("two"))], new StepReader(["one"], true))).toEqual(["two"]);
  });

  test("ignores markers of a subagent", () => {
    expect(stepsIn([said(mark("aside"), true)])).toEqual([]);
  });

  test("cuts a long marker between characters", () => {
    const [step = ""] = stepsIn([said(mark(`${"a".repeat(199)}😀`))]);
    expect(step.length).toBe(200);
    expect(step.isWellFormed()).toBe(true);
  });

  test("an unclosed marker takes no time", () => {
    expect(stepsIn([said(`<!-- CHECKPOINT:${" ".repeat(100_000)}`)])).toEqual([]);
  });
});

describe("Claude's task list", () => {
  const write = called("1", "TodoWrite", todos(["one", "completed"], ["two", "in_progress"]));
  test("counts a completed task once, after the call succeeded", () => {
    expect(stepsIn([write])).toEqual([]);
    expect(stepsIn([write, answered("1")])).toEqual(["one"]);
    const again = called("2", "TodoWrite", todos(["one", "completed"], ["two", "completed"]));
    expect(stepsIn([write, answered("1"), again, answered("2")])).toEqual(["one", "two"]);
  });

  test("is ignored when the call failed or a subagent made it", () => {
    expect(stepsIn([write, answered("1", "Error: No such tool available: TodoWrite", true)])).toEqual([]);
    const aside = called("1", "TodoWrite", todos(["one", "completed"]), true);
    expect(stepsIn([aside, answered("1")])).toEqual([]);
  });

  test("finds a task's id in the result and its name when it is completed", () => {
    const events = [
      called("1", "TaskCreate", { subject: "Look around" }),
      called("2", "TaskCreate", { subject: "Go home" }),
      answered("2", { task: { id: "2", subject: "Go home" } }),
      answered("1", { task: { id: "1", subject: "Look around" } }),
      called("3", "TaskUpdate", { taskId: "1", status: "in_progress" }),
      answered("3"),
      called("4", "TaskUpdate", { taskId: "1", status: "completed" }),
      answered("4"),
      called("5", "TaskUpdate", { taskId: "2", subject: "Go far away", status: "completed" }),
      answered("5"),
      called("6", "TaskUpdate", { taskId: "9", status: "completed" }),
      answered("6"),
    ];
    expect(stepsIn(events)).toEqual(["Look around", "Go far away"]);
  });

  test("no longer counts after the first marker", () => {
    expect(stepsIn([said(mark("marked")), write, answered("1")])).toEqual(["marked"]);
    expect(stepsIn([write, answered("1"), said(mark("marked"))])).toEqual(["one", "marked"]);
    // A marker of an earlier attempt counts too.
    expect(stepsIn([write, answered("1")], new StepReader(["marked"], true))).toEqual([]);
  });

  test.each([[{ todos: "no list" }], [{ todos: [null, 1, {}, { status: "completed" }] }], [{}]])(
    "ignores a task list of another shape: %p",
    (input) => {
      expect(stepsIn([called("1", "TodoWrite", input), answered("1", null)])).toEqual([]);
    },
  );

  test.each([
    ["2.1.36", ["Write the notes"]],
    ["2.1.197", ["Look around"]],
    ["2.1.326", []],
  ] as const)("as Claude Code %s keeps it: %p", async (version, steps) => {
    const text = await Bun.file(storedStream(version, "tasks")).text();
    expect(stepsIn(text.split("\n").flatMap(readStreamLine))).toEqual([...steps]);
  });
});

test.each<[string, string]>([
  [`Done.\n${mark("one")}\n`, "Done."],
  [`One ${mark("x")}\n\n\n\nTwo`, "One\n\nTwo"],
  [mark("alone"), ""],
  ["Nothing to take away <!-- here -->", "Nothing to take away <!-- here -->"],
])("%p without its markers is %p", (text, expected) => {
  expect(withoutMarkers(text)).toBe(expected);
});

test.each<[string, string | undefined]>([
  ["I look. Then I write the file.", "Then I write the file."],
  ["First line.\nSecond line", "Second line"],
  ["Really?! Yes!", "Yes!"],
  [`Written.\n${mark("written")}`, "Written."],
  ["...", "..."],
  ["  \n", undefined],
  [mark("alone"), undefined],
])("the last sentence of %p is %p", (text, expected) => {
  expect(lastSentence(text)).toBe(expected);
});

test("the last sentence of a line as long as a file takes no time", () => {
  expect(lastSentence(`${"a".repeat(2_000_000)}. b`)).toBe("b");
});
