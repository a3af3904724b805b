import { expect, test } from "bun:test";
import { compareConversations, decideLease, decideWrite } from "../../../src/core/hub/lease.ts";
import { compareSince, newReplicationState, withSeen } from "../../../src/core/hub/replication-state.ts";

test.each([
  ["a new session", undefined, "mine"],
  ["our own", { holder: "me", leftMs: 5 }, "mine"],
  ["our own, expired", { holder: "me", leftMs: -5 }, "mine"],
  ["another machine's", { holder: "other", leftMs: 1 }, "held"],
  ["another machine's, expired", { holder: "other", leftMs: 0 }, "free"],
] as const)("the lease of %s", (_title, lease, decision) => {
  expect(decideLease(lease, "me")).toBe(decision);
});

test.each([
  ["mine", true, "write"],
  ["mine", false, "write"],
  ["free", true, "take-and-write"],
  ["free", false, "diverged"],
  ["held", true, "diverged"],
  ["held", false, "diverged"],
] as const)("lease %s, continues the hub %p: %s", (lease, continuesHub, decision) => {
  expect(decideWrite(lease, continuesHub)).toBe(decision);
});

test.each([
  [10, 10, 10, "same"],
  [10, 20, 10, "behind"],
  [20, 10, 10, "ahead"],
  [20, 10, 5, "diverged"],
  [10, 10, 9, "diverged"],
  [0, 10, 0, "behind"],
] as const)("%p bytes here, %p in the hub, %p in common: %s", (here, hub, common, difference) => {
  expect(compareConversations(here, hub, common)).toBe(difference);
});

const dayMs = 86_400_000;

test("after a clock that went back, everything is compared", () => {
  const state = { ...newReplicationState("hub"), through: 10 * dayMs };
  expect(compareSince(state, 11 * dayMs)).toBe(9 * dayMs);
  expect(compareSince(state, 9 * dayMs)).toBe(0);
  expect(compareSince(newReplicationState("hub"), dayMs)).toBe(0);
});

test("the newest states are remembered, a limited number of them", () => {
  const full = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`s${n}`, n]));
  const seen = withSeen(full, "newest", 7);
  expect(Object.keys(seen)).toHaveLength(1_000);
  expect([seen["s0"], seen["newest"]]).toEqual([undefined, 7]);
  expect(withSeen(seen, "s5", 99)["s5"]).toBe(99);
});
