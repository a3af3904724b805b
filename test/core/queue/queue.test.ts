import { describe, expect, test } from "bun:test";
import { array, assert, constantFrom, integer, nat, property, record } from "fast-check";
import { decideQueue, nextMoment, type QueueFacts, type RunFact } from "../../../src/core/queue/decide-queue.ts";
import {
  changeQueue,
  emptyQueue,
  inOrder,
  placeAt,
  type Queue,
  type QueueChange,
  type QueueEntry,
} from "../../../src/core/queue/queue.ts";
import { quotaAt } from "../../../src/core/queue/quota.ts";

const now = 1_800_000_000_000;
const hour = 3_600_000;

const entry = (id: string, change: Partial<QueueEntry> = {}): QueueEntry => ({
  id,
  priority: 0,
  at: null,
  whenAvailable: false,
  after: null,
  deadline: null,
  account: "mine",
  maxParallel: null,
  ...change,
});
const queueOf = (entries: readonly QueueEntry[], isPaused = false): Queue => ({ entries, isPaused });

function decide(queue: Queue, runs: Record<string, RunFact> = {}, change: Partial<QueueFacts> = {}): string[] {
  const facts: QueueFacts = {
    now,
    account: "mine",
    availableAt: null,
    maxParallel: 1,
    factOf: (run) => runs[run] ?? "queued",
    ...change,
  };
  return decideQueue(queue, facts).map((step) =>
    [step.kind, step.id, ...("why" in step ? [step.why] : []), ...("wait" in step ? [step.wait.kind] : [])].join(" "),
  );
}

describe("what a queued run does now", () => {
  test.each([
    ["nothing holds it", entry("a"), {}, {}, "start a"],
    ["its time is ahead", entry("a", { at: now + hour }), {}, {}, "wait a time"],
    ["its time has come", entry("a", { at: now }), {}, {}, "start a"],
    ["its account has no quota", entry("a", { whenAvailable: true }), {}, { availableAt: now + hour }, "wait a limit"],
    ["quota does not matter to it", entry("a"), {}, { availableAt: now + hour }, "start a"],
    ["its account has quota", entry("a", { whenAvailable: true }), {}, { availableAt: now }, "start a"],
    ["the other run works", entry("a", { after: { run: "x", success: false } }), { x: "running" }, {}, "wait a run"],
    [
      "the other run was interrupted",
      entry("a", { after: { run: "x", success: false } }),
      { x: "interrupted" },
      {},
      "wait a run",
    ],
    ["the other run is queued", entry("a", { after: { run: "x", success: true } }), { x: "queued" }, {}, "wait a run"],
    ["the other run is done", entry("a", { after: { run: "x", success: true } }), { x: "done" }, {}, "start a"],
    ["the other run failed", entry("a", { after: { run: "x", success: false } }), { x: "failed" }, {}, "start a"],
    [
      "the other run had to succeed",
      entry("a", { after: { run: "x", success: true } }),
      { x: "failed" },
      {},
      "cancel a after",
    ],
    [
      "the other run is gone",
      entry("a", { after: { run: "x", success: true } }),
      { x: "missing" },
      {},
      "cancel a after",
    ],
    ["its deadline has passed", entry("a", { deadline: now }), {}, {}, "cancel a deadline"],
    ["its deadline passes while it waits", entry("a", { deadline: now, at: now + hour }), {}, {}, "cancel a deadline"],
    ["its deadline is ahead", entry("a", { deadline: now + 1 }), {}, {}, "start a"],
    ["it belongs to another account", entry("a", { account: "other" }), {}, {}, "wait a account"],
    ["it works", entry("a"), { a: "running" }, {}, "running a"],
    ["it is done", entry("a"), { a: "done" }, {}, "leave a"],
    ["it was interrupted", entry("a"), { a: "interrupted" }, {}, "leave a"],
    ["it was never registered", entry("a"), { a: "missing" }, {}, "leave a"],
  ] satisfies [string, QueueEntry, Record<string, RunFact>, Partial<QueueFacts>, string][])(
    "%s",
    (_, one, runs, facts, expected) => {
      expect(decide(queueOf([one]), runs, facts)).toEqual([expected]);
      if (expected === "start a") expect(decide(queueOf([one], true), runs, facts)).toEqual(["wait a paused"]);
    },
  );

  test("runs start in order, as many at a time as allowed", () => {
    const queue = queueOf([entry("a"), entry("b"), entry("c", { priority: 5 })]);
    expect(decide(queue)).toEqual(["start c", "wait a turn", "wait b turn"]);
    expect(decide(queue, {}, { maxParallel: 2 })).toEqual(["start c", "start a", "wait b turn"]);
    expect(decide(queue, { c: "running" })).toEqual(["running c", "wait a turn", "wait b turn"]);
    expect(decide(queue, { c: "done" })).toEqual(["leave c", "start a", "wait b turn"]);
  });

  test("a run that waits for something else does not hold up the next one", () => {
    expect(decide(queueOf([entry("a", { at: now + hour }), entry("b")]))).toEqual(["wait a time", "start b"]);
  });

  test("a run's own number of parallel runs counts instead of the setting", () => {
    const queue = queueOf([entry("a"), entry("b", { maxParallel: 3 }), entry("c", { maxParallel: 2 })]);
    expect(decide(queue, { a: "running" })).toEqual(["running a", "start b", "wait c turn"]);
  });

  test("each account has its own turns", () => {
    const queue = queueOf([entry("a", { account: "other" }), entry("b")]);
    expect(decide(queue, { a: "running" })).toEqual(["running a", "start b"]);
  });

  test("the next moment is the earliest time or deadline of those that wait", () => {
    const queue = queueOf([
      entry("a", { at: now + 2 * hour }),
      entry("b", { at: now + 3 * hour, deadline: now + hour }),
    ]);
    const facts: QueueFacts = { now, account: "mine", availableAt: null, maxParallel: 1, factOf: () => "queued" };
    expect(nextMoment(queue, decideQueue(queue, facts))).toBe(now + hour);
    expect(nextMoment(emptyQueue, [])).toBeUndefined();
  });
});

describe("moving", () => {
  const queue = queueOf([entry("a"), entry("b", { priority: 9 }), entry("c"), entry("works", { priority: 99 })]);
  const waiting = new Set(["a", "b", "c"]);
  const orderAfter = (id: string, to: number): string[] =>
    inOrder(placeAt(queue, id, to, waiting).reduce(changeQueue, queue))
      .map((each) => each.id)
      .filter((each) => waiting.has(each));

  test.each([
    ["c", 0, ["c", "b", "a"]],
    ["c", 1, ["b", "c", "a"]],
    ["b", 2, ["a", "c", "b"]],
    ["b", 9, ["a", "c", "b"]],
    ["a", 1, ["b", "a", "c"]],
    ["unknown", 0, ["b", "a", "c"]],
  ])("%s to place %p", (id, to, expected) => expect(orderAfter(id, to)).toEqual(expected));

  test("any run gets the place that was asked for, and the others keep their order", () => {
    const ids = ["a", "b", "c", "d", "e"];
    const all = record({
      priorities: array(integer({ min: -2, max: 2 }), { minLength: 5, maxLength: 5 }),
      to: nat(4),
      id: constantFrom(...ids),
    });
    assert(
      property(all, ({ priorities, to, id }) => {
        const given = queueOf(ids.map((each, index) => entry(each, { priority: priorities[index] ?? 0 })));
        const before = inOrder(given).map((each) => each.id);
        const moved = placeAt(given, id, to, new Set(ids)).reduce(changeQueue, given);
        const after = inOrder(moved).map((each) => each.id);
        expect(after).toEqual(before.filter((each) => each !== id).toSpliced(to, 0, id));
      }),
    );
  });
});

test("changes that no longer apply have no effect", () => {
  const changes: QueueChange[] = [
    { kind: "moved", id: "x", to: 0 },
    { kind: "prioritized", id: "x", priority: 1 },
    { kind: "left", id: "x" },
    { kind: "added", entry: entry("a", { priority: 7 }) },
  ];
  const queue = queueOf([entry("a")]);
  expect(changes.reduce(changeQueue, queue)).toEqual(queue);
});

test.each([
  ["nothing is known", null, {}, null],
  ["a limit is known", now + hour, {}, now + hour + 500],
  ["the limit is over", now - 1, {}, null],
  ["a window is used up", null, { five_hour: { percent: 99, resetsAt: now + hour } }, now + hour + 500],
  ["a window is nearly used up", null, { five_hour: { percent: 94, resetsAt: now + hour } }, null],
  ["a full window has reset", null, { five_hour: { percent: 100, resetsAt: now - 1 } }, null],
  ["a full window does not say when it resets", null, { seven_day: { percent: 100, resetsAt: null } }, null],
  [
    "both windows are used up",
    now + 1_000,
    { five_hour: { percent: 100, resetsAt: now + hour }, seven_day: { percent: 100, resetsAt: now + 24 * hour } },
    now + 24 * hour + 500,
  ],
] as const)("quota, when %s", (_, limit, usage, expected) => {
  expect(quotaAt(limit, usage, now)).toBe(expected);
});
