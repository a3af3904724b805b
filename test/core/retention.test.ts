import { describe, expect, test } from "bun:test";
import {
  type DropAction,
  type HeldGeneration,
  type HeldSession,
  isLive,
  isMaintenanceDue,
  planDrops,
  planPacking,
} from "../../src/core/retention.ts";

const day = 86_400_000;
const now = 1_000 * day;
const settings = { maxDisk: 1_000, coldAfterDays: 7 };

/** Ages in days, sizes in bytes. */
function generation(number: number, age: number, more: Partial<HeldGeneration> = {}): HeldGeneration {
  return { number, bytes: 100, empty: false, lastUse: now - age * day, packed: false, ...more };
}

function session(sessionId: string, generations: HeldGeneration[], more: Partial<HeldSession> = {}): HeldSession {
  const lastUse = Math.max(...generations.map((each) => each.lastUse));
  const usual = { otherBytes: 0, heldByClaude: false, transcriptExists: true, isLatest: false };
  return { sessionId, generations, lastUse, ...usual, ...more };
}

const packing: [what: string, session: HeldSession, packed: number[]][] = [
  ["a cold one", session("s", [generation(1, 7)]), [1]],
  ["not yet cold", session("s", [generation(1, 6.9)]), []],
  ["packed already", session("s", [generation(1, 30, { packed: true })]), []],
  ["nothing in it", session("s", [generation(1, 30, { empty: true, bytes: 0 })]), []],
  ["held by a running claude", session("s", [generation(1, 30)], { heldByClaude: true }), []],
  ["its transcript was written to lately", session("s", [generation(1, 30)], { lastUse: now - day / 2 }), []],
  ["the one that latest.json names", session("s", [generation(1, 30)], { isLatest: true }), []],
  ["a cold past one of a live session", session("s", [generation(1, 30), generation(2, 0)]), [1]],
  ["cold past ones of the latest", session("s", [generation(1, 30), generation(2, 20)], { isLatest: true }), [1]],
  ["past and present", session("s", [generation(1, 30), generation(2, 20)]), [1, 2]],
  ["a warm past one", session("s", [generation(1, 3), generation(2, 0)]), []],
];

test.each(packing)("packing: %s", (_what, held, packed) => {
  const actions = planPacking([held], settings, now);
  expect(actions).toEqual(packed.map((number) => ({ sessionId: "s", generation: number })));
});

test("where everything is cold at once, what is live still is not packed", () => {
  const held = session("s", [generation(1, 0.5), generation(2, 0.1)]);
  expect(planPacking([held], { ...settings, coldAfterDays: 0 }, now)).toEqual([{ sessionId: "s", generation: 1 }]);
});

const row = ({ sessionId, generation: number, onlyCopy }: DropAction): string =>
  `${sessionId}${number === null ? "" : `.${number}`}${onlyCopy ? " only copy" : ""}`;

// Every generation has 100 bytes, so `over` of 150 means that two must go.
const dropping: [what: string, over: number, sessions: HeldSession[], dropped: string[]][] = [
  ["within the cap nothing goes", 0, [session("a", [generation(1, 90)])], []],
  [
    "the oldest first, and no more than needed",
    150,
    [session("a", [generation(1, 20)]), session("b", [generation(1, 40)]), session("c", [generation(1, 30)])],
    ["b", "c"],
  ],
  [
    "past generations before whole sessions, however old those are",
    50,
    [session("a", [generation(1, 90)]), session("b", [generation(1, 10), generation(2, 9)])],
    ["b.1"],
  ],
  [
    "cold sessions before warm past generations",
    50,
    [session("a", [generation(1, 90)]), session("b", [generation(1, 3), generation(2, 2)])],
    ["a"],
  ],
  [
    "then what is warm, past generations first",
    250,
    [
      session("a", [generation(1, 4)]),
      session("b", [generation(1, 3), generation(2, 0)]),
      session("c", [generation(1, 5)]),
    ],
    ["b.1", "c", "a"],
  ],
  ["a session that goes whole is named once", 150, [session("a", [generation(1, 90), generation(2, 80)])], ["a"]],
  [
    "what went of it before counts once",
    250,
    [session("a", [generation(1, 90), generation(2, 80)]), session("b", [generation(1, 70)])],
    ["a", "b"],
  ],
  [
    "the only copy goes last, and is called that",
    150,
    [session("a", [generation(1, 90)], { transcriptExists: false }), session("b", [generation(1, 2)])],
    ["b", "a only copy"],
  ],
  [
    "the only copy stays while anything else is left",
    50,
    [session("a", [generation(1, 90)], { transcriptExists: false }), session("b", [generation(1, 2)])],
    ["b"],
  ],
  [
    "never a live one",
    500,
    [
      session("a", [generation(1, 0.9)]),
      session("b", [generation(1, 30)], { heldByClaude: true }),
      session("c", [generation(1, 30)], { lastUse: now - 1_000 }),
    ],
    [],
  ],
  ["but a cold past generation of a live one", 500, [session("a", [generation(1, 30), generation(2, 0)])], ["a.1"]],
  ["not a past generation of today", 500, [session("a", [generation(1, 0.5), generation(2, 0)])], []],
  [
    "not the past one that holds all there is: an undo into nothing left the present one empty",
    50,
    [session("a", [generation(1, 30), generation(2, 29, { empty: true, bytes: 0 })]), session("b", [generation(1, 9)])],
    ["a"],
  ],
  [
    "a session whose state cannot be read counts as an only copy",
    500,
    [{ ...session("a", [generation(1, 30)], { transcriptExists: false }), generations: [], otherBytes: 100 }],
    ["a only copy"],
  ],
];

test.each(dropping)("dropping: %s", (_what, over, sessions, dropped) => {
  expect(planDrops(sessions, settings.maxDisk + over, settings, now).map(row)).toEqual(dropped);
});

describe("what a drop says it frees", () => {
  test("a whole session: all generations, side files and backups", () => {
    const held = session("a", [generation(1, 30), generation(2, 20)], { otherBytes: 7 });
    expect(planDrops([held], 1_150, settings, now)).toEqual([
      { sessionId: "a", generation: null, bytes: 207, onlyCopy: false },
    ]);
  });
});

test("live is what a running claude holds, or what was used within a day", () => {
  expect(isLive({ heldByClaude: true, lastUse: 0 }, now)).toBe(true);
  expect(isLive({ heldByClaude: false, lastUse: now - day + 1 }, now)).toBe(true);
  expect(isLive({ heldByClaude: false, lastUse: now - day }, now)).toBe(false);
});

test.each([
  ["yesterday at this time", now - day, true],
  ["a moment later", now - day + 1, false],
  ["just now", now, false],
  ["tomorrow: the clock was set back", now + day, true],
])("maintenance is due when the last run was %s", (_when, lastRun, due) => {
  expect(isMaintenanceDue(lastRun, now)).toBe(due);
});
