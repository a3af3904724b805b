import { expect, test } from "bun:test";
import { fleetGiveUpMs, fleetKillMs, fleetLeaseSeconds, fleetRenewMs } from "../../../src/core/fleet/fleet-lease.ts";
import { type SettledRun, settleRun, settleUnstarted } from "../../../src/core/fleet/settle-run.ts";

const settled = (changes: Partial<SettledRun>): SettledRun => ({
  phase: "paused",
  cause: null,
  resetsInMs: null,
  failures: 0,
  ...changes,
});

test.each([
  ["done", settled({ phase: "done" }), { kind: "finish", state: "done" }],
  ["stopped on its machine", settled({ phase: "stopped" }), { kind: "finish", state: "stopped" }],
  [
    "a limit waits for its reset, or for another account",
    settled({ cause: "limit", resetsInMs: 90_000, failures: 2 }),
    { kind: "release", state: "waiting", delayMs: 90_000, ofAccount: true, failures: 2 },
  ],
  [
    "a limit without a known reset waits an hour",
    settled({ cause: "limit" }),
    { kind: "release", state: "waiting", delayMs: 3_600_000, ofAccount: true, failures: 0 },
  ],
  [
    "a limit that has reset meanwhile",
    settled({ cause: "limit", resetsInMs: -5 }),
    { kind: "release", state: "waiting", delayMs: 0, ofAccount: true, failures: 0 },
  ],
  [
    "the worker ends: any worker continues at once",
    settled({ cause: "shutdown", failures: 3 }),
    { kind: "release", state: "queued", delayMs: 0, ofAccount: false, failures: 3 },
  ],
  [
    "a wrong login is trouble of the account",
    settled({ phase: "failed", cause: "authentication" }),
    { kind: "release", state: "waiting", delayMs: 600_000, ofAccount: true, failures: 1 },
  ],
  [
    "a failing API: later, and on any worker",
    settled({ phase: "failed", cause: "server", failures: 1 }),
    { kind: "release", state: "queued", delayMs: 10_000, ofAccount: false, failures: 2 },
  ],
  ["too many failures", settled({ phase: "failed", cause: "crash", failures: 4 }), { kind: "finish", state: "failed" }],
  ["a spent budget", settled({ phase: "failed", cause: "budget" }), { kind: "finish", state: "failed" }],
] as const)("%s", (_, given, expected) => {
  expect(settleRun(given)).toEqual(expected);
});

test("a run that cannot be started goes to another worker, and fails in the end", () => {
  expect(settleUnstarted(0, true)).toMatchObject({ kind: "release", failures: 1 });
  expect(settleUnstarted(4, true)).toEqual({ kind: "finish", state: "failed" });
  expect(settleUnstarted(4, false)).toMatchObject({ kind: "release", delayMs: 0, failures: 4 });
});

test("a worker that cannot renew has ended its claude before another worker may start one", () => {
  const endedMs = fleetGiveUpMs + fleetKillMs;
  expect(endedMs).toBeLessThan(fleetLeaseSeconds * 1_000);
  expect(2 * fleetRenewMs).toBeLessThan(fleetGiveUpMs);
});
