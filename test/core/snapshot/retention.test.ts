import { describe, expect, test } from "bun:test";
import {
  type DropAction,
  type HeldGeneration,
  type HeldSession,
  isLive,
  isMaintenanceDue,
  planDrops,
  planPacking,
} from "../../../src/core/snapshot/retention.ts";

const day = 86_400_000;
const now = 1_000 * day;
const settings = { maxDisk: 1_000, coldAfterDays: 7 };

/** Ages in days, sizes in bytes. */
function generation(number: number, age: number, more: Partial<HeldGeneration> = {}): HeldGeneration {
  return { number, bytes: 100, empty: false, lastUse: now - age * day, packed: false, ...more };
}

function session(sessionId: string, generations: HeldGeneration[], more: Partial<HeldSession> = {}): HeldSession {
  const lastUse = Math.max(...generations.map((each) => each.lastUse));
  const usual = { otherBytes: 0, isHeld: false, transcriptExists: true, isLatest: false };
  return { sessionId, generations, lastUse, ...usual, ...more };
}

const packing: [what: string, session: HeldSession, packed: number[]][] = [
  ["packs a cold generation", session("s", [generation(1, 7)]), [1]],
  ["leaves a generation that is not cold yet", session("s", [generation(1, 6.9)]), []],
  ["leaves a packed generation", session("s", [generation(1, 30, { packed: true })]), []],
  ["leaves an empty generation", session("s", [generation(1, 30, { empty: true, bytes: 0 })]), []],
  ["leaves a session of a running claude", session("s", [generation(1, 30)], { isHeld: true }), []],
  ["leaves a session with a recent transcript", session("s", [generation(1, 30)], { lastUse: now - day / 2 }), []],
  ["leaves the generation that latest.json names", session("s", [generation(1, 30)], { isLatest: true }), []],
  ["packs a cold past generation of a live session", session("s", [generation(1, 30), generation(2, 0)]), [1]],
  [
    "packs cold past generations of the latest session",
    session("s", [generation(1, 30), generation(2, 20)], { isLatest: true }),
    [1],
  ],
  ["packs past and current generations", session("s", [generation(1, 30), generation(2, 20)]), [1, 2]],
  ["leaves a warm past generation", session("s", [generation(1, 3), generation(2, 0)]), []],
];

test.each(packing)("planPacking: %s", (_what, held, packed) => {
  const actions = planPacking([held], settings, now);
  expect(actions).toEqual(packed.map((number) => ({ sessionId: "s", generation: number })));
});

test("planPacking leaves the current generation of a live session even with coldAfterDays 0", () => {
  const held = session("s", [generation(1, 0.5), generation(2, 0.1)]);
  expect(planPacking([held], { ...settings, coldAfterDays: 0 }, now)).toEqual([{ sessionId: "s", generation: 1 }]);
});

const row = ({ sessionId, generation: number, onlyCopy }: DropAction): string =>
  `${sessionId}${number === null ? "" : `.${number}`}${onlyCopy ? " only copy" : ""}`;

// Every generation has 100 bytes, so 150 bytes over the limit drop two.
const dropping: [what: string, over: number, sessions: HeldSession[], dropped: string[]][] = [
  ["drops nothing within maxDisk", 0, [session("a", [generation(1, 90)])], []],
  [
    "drops the oldest first, and no more than needed",
    150,
    [session("a", [generation(1, 20)]), session("b", [generation(1, 40)]), session("c", [generation(1, 30)])],
    ["b", "c"],
  ],
  [
    "drops past generations before whole sessions of any age",
    50,
    [session("a", [generation(1, 90)]), session("b", [generation(1, 10), generation(2, 9)])],
    ["b.1"],
  ],
  [
    "drops cold sessions before warm past generations",
    50,
    [session("a", [generation(1, 90)]), session("b", [generation(1, 3), generation(2, 2)])],
    ["a"],
  ],
  [
    "drops warm past generations, then warm sessions",
    250,
    [
      session("a", [generation(1, 4)]),
      session("b", [generation(1, 3), generation(2, 0)]),
      session("c", [generation(1, 5)]),
    ],
    ["b.1", "c", "a"],
  ],
  ["lists a dropped session once", 150, [session("a", [generation(1, 90), generation(2, 80)])], ["a"]],
  [
    "counts the bytes of a dropped session once",
    250,
    [session("a", [generation(1, 90), generation(2, 80)]), session("b", [generation(1, 70)])],
    ["a", "b"],
  ],
  [
    "drops only copies last and marks them",
    150,
    [session("a", [generation(1, 90)], { transcriptExists: false }), session("b", [generation(1, 2)])],
    ["b", "a only copy"],
  ],
  [
    "keeps an only copy while other sessions are left",
    50,
    [session("a", [generation(1, 90)], { transcriptExists: false }), session("b", [generation(1, 2)])],
    ["b"],
  ],
  [
    "keeps live sessions",
    500,
    [
      session("a", [generation(1, 0.9)]),
      session("b", [generation(1, 30)], { isHeld: true }),
      session("c", [generation(1, 30)], { lastUse: now - 1_000 }),
    ],
    [],
  ],
  [
    "drops a cold past generation of a live session",
    500,
    [session("a", [generation(1, 30), generation(2, 0)])],
    ["a.1"],
  ],
  ["keeps a past generation of today", 500, [session("a", [generation(1, 0.5), generation(2, 0)])], []],
  [
    "keeps the past generation with all content after an undo to an empty transcript",
    50,
    [session("a", [generation(1, 30), generation(2, 29, { empty: true, bytes: 0 })]), session("b", [generation(1, 9)])],
    ["a"],
  ],
  [
    "counts a session with unreadable state as an only copy",
    500,
    [{ ...session("a", [generation(1, 30)], { transcriptExists: false }), generations: [], otherBytes: 100 }],
    ["a only copy"],
  ],
];

test.each(dropping)("planDrops: %s", (_what, over, sessions, dropped) => {
  expect(planDrops(sessions, settings.maxDisk + over, settings, now).map(row)).toEqual(dropped);
});

describe("the bytes of a drop", () => {
  test("include all generations, side files and backups of a whole session", () => {
    const held = session("a", [generation(1, 30), generation(2, 20)], { otherBytes: 7 });
    expect(planDrops([held], 1_150, settings, now)).toEqual([
      { sessionId: "a", generation: null, bytes: 207, onlyCopy: false },
    ]);
  });
});

test("isLive: held by a running claude, or used within a day", () => {
  expect(isLive({ isHeld: true, lastUse: 0 }, now)).toBe(true);
  expect(isLive({ isHeld: false, lastUse: now - day + 1 }, now)).toBe(true);
  expect(isLive({ isHeld: false, lastUse: now - day }, now)).toBe(false);
});

test.each([
  ["yesterday at this time", now - day, true],
  ["a moment later", now - day + 1, false],
  ["just now", now, false],
  ["tomorrow: the clock was set back", now + day, true],
])("maintenance is due when the last run was %s", (_when, lastRun, due) => {
  expect(isMaintenanceDue(lastRun, now)).toBe(due);
});
