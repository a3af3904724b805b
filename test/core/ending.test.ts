import { describe, expect, test } from "bun:test";
import {
  type Action,
  type Cause,
  countRestart,
  decideEnding,
  type Evidence,
  type History,
} from "../../src/core/ending.ts";

const now = 1_800_000_000_000;
const rules = { now, firstDelay: 1_000, unknownLimit: 3_600_000 };
const first: History = { crashes: 0, limits: 0, restores: 0, restarts: 0 };

/** A print run that failed with exit code 1 after some work, with nothing said about why. */
const failed: Evidence = {
  exitCode: 1,
  signal: null,
  stopAsked: false,
  interactive: false,
  hooksSeen: true,
  endReason: "other",
  failure: null,
  finalError: null,
  resumable: true,
  progress: true,
  snapshotAge: 60_000,
  growth: 10_000,
  contextTokens: 50_000,
};
const killed: Partial<Evidence> = { exitCode: 137, signal: "SIGKILL", endReason: null };
const hugeGrowth: Partial<Evidence> = { growth: 400_000, contextTokens: 190_000 };
const limit = (resetsAt?: number): Partial<Evidence> => ({ finalError: { kind: "limit", resetsAt } });
const tooLong: Partial<Evidence> = { finalError: { kind: "too-long", maximum: undefined } };
const exit: Action = { kind: "exit" };
const giveUp: Action = { kind: "give-up" };
const restore: Action = { kind: "restore" };
const resume = (delay: number): Action => ({ kind: "resume", delay });
const wait = (until: number, known = true): Action => ({ kind: "wait", until, known });

type Row = [what: string, evidence: Partial<Evidence>, history: Partial<History>, cause: Cause, action: Action];

const left: Partial<Evidence> = { interactive: true, exitCode: 0, endReason: "prompt_input_exit" };

const rows: Row[] = [
  // The user left, or it is done.
  ["-p finished", { exitCode: 0 }, {}, "finished", exit],
  ["-p finished, no hook seen", { exitCode: 0, endReason: null, hooksSeen: false }, {}, "finished", exit],
  ["/exit", left, {}, "left", exit],
  ["/exit with 400 KB of growth and a full context", { ...left, ...hugeGrowth }, {}, "left", exit],
  ["/exit at a limit", { ...left, ...limit(now + 60_000) }, {}, "left", exit],
  ["/exit after too long", { ...left, ...tooLong }, {}, "left", exit],
  ["/logout with an exit code", { ...left, exitCode: 1, endReason: "logout" }, {}, "left", exit],
  ["bypass of permissions refused", { endReason: "bypass_permissions_disabled" }, {}, "left", exit],
  ["interactive, exit 0, nothing known", { interactive: true, exitCode: 0, endReason: null }, {}, "left", exit],
  // Told to stop.
  ["Ctrl-C in -p", { stopAsked: true, exitCode: 130 }, {}, "stopped", exit],
  ["terminal closed", { signal: "SIGHUP", exitCode: 129 }, {}, "stopped", exit],
  ["terminated", { signal: "SIGTERM", exitCode: 143 }, {}, "stopped", exit],
  ["terminated at a limit", { signal: "SIGTERM", exitCode: 143, ...limit(now) }, {}, "stopped", exit],
  ["killed after we were told to stop", { ...killed, stopAsked: true }, {}, "stopped", exit],
  ["quit by the keyboard", { signal: "SIGQUIT", exitCode: 131 }, {}, "stopped", exit],
  // Nothing to go on with.
  ["bad flags", { resumable: false, progress: false, hooksSeen: false, endReason: null }, {}, "not-started", exit],
  ["killed before the first word", { ...killed, resumable: false, progress: false }, {}, "not-started", exit],
  ["a refused resume", { progress: false, endReason: null, hooksSeen: false }, {}, "not-started", exit],
  ["a limit without a session", { ...limit(now), resumable: false, progress: false }, {}, "not-started", exit],
  // Failures that a restart would not mend.
  ["exit 1 with a proper end", {}, {}, "failed", exit],
  ["exit 1 without hooks", { endReason: null, hooksSeen: false }, {}, "failed", exit],
  ["another API error", { finalError: { kind: "other" } }, {}, "failed", exit],
  ["wrong login", { finalError: { kind: "authentication" } }, {}, "authentication", exit],
  ["no credit", { finalError: { kind: "billing" } }, {}, "billing", exit],
  ["wrong login by the hook's word", { failure: "authentication_failed" }, {}, "authentication", exit],
  // Overload.
  ["too long", tooLong, {}, "overload", restore],
  ["too long, no snapshot", { ...tooLong, snapshotAge: null, growth: 0 }, {}, "overload", restore],
  ["killed, grown, full", { ...killed, ...hugeGrowth }, {}, "overload", restore],
  ["killed, grown, tokens unknown", { ...killed, ...hugeGrowth, contextTokens: null }, {}, "overload", restore],
  ["killed, grown, room to spare", { ...killed, growth: 400_000 }, {}, "crash", resume(1_000)],
  ["killed, grown, old snapshot", { ...killed, ...hugeGrowth, snapshotAge: 601_000 }, {}, "crash", resume(1_000)],
  ["killed, full, little growth", { ...killed, ...hugeGrowth, growth: 100_000 }, {}, "crash", resume(1_000)],
  ["exit 1, grown, full, no SessionEnd", { endReason: null, ...hugeGrowth }, {}, "overload", restore],
  ["exit 1, grown, full, proper end", hugeGrowth, {}, "failed", exit],
  ["too long, second time", tooLong, { restores: 1, restarts: 1 }, "overload", restore],
  ["too long, fourth time", tooLong, { restores: 3, restarts: 3 }, "overload", giveUp],
  // Crash.
  ["killed", killed, {}, "crash", resume(1_000)],
  ["killed in the terminal", { ...killed, interactive: true }, {}, "crash", resume(1_000)],
  ["segmentation fault", { exitCode: 139, signal: "SIGSEGV", endReason: null }, {}, "crash", resume(1_000)],
  ["exit 1 without SessionEnd", { endReason: null }, {}, "crash", resume(1_000)],
  ["killed again without an answer", { ...killed, progress: false }, { crashes: 1 }, "crash", resume(2_000)],
  ["killed a third time", { ...killed, progress: false }, { crashes: 2 }, "crash", resume(4_000)],
  ["killed a fourth time", { ...killed, progress: false }, { crashes: 3 }, "crash", giveUp],
  ["killed a fourth time, with an answer", killed, { crashes: 3 }, "crash", resume(1_000)],
  ["turning in a circle", killed, { restarts: 50 }, "crash", giveUp],
  // The API.
  ["529", { finalError: { kind: "server" } }, {}, "server", resume(1_000)],
  ["529 without an end", { finalError: { kind: "server" }, progress: false }, { crashes: 3 }, "server", giveUp],
  ["529 by the hook's word", { failure: "server_error" }, {}, "server", resume(1_000)],
  // Limits.
  ["limit", limit(now + 60_000), {}, "limit", wait(now + 62_000)],
  ["limit that has just reset", limit(now - 5_000), {}, "limit", wait(now)],
  ["limit without a time", limit(), {}, "limit", wait(now + 3_600_000, false)],
  ["limit by the hook's word", { failure: "rate_limit" }, {}, "limit", wait(now + 3_600_000, false)],
  ["exit 1, no SessionEnd, limit", { ...limit(now + 60_000), endReason: null }, {}, "limit", wait(now + 62_000)],
  ["still there after its reset", { ...limit(now), progress: false }, { limits: 1 }, "limit", wait(now + 60_000)],
  ["still there again", { ...limit(now), progress: false }, { limits: 2 }, "limit", wait(now + 300_000)],
  ["the next limit, after work", limit(now), { limits: 5 }, "limit", wait(now + 2_000)],
  ["fifty limits", limit(now), { restarts: 50 }, "limit", giveUp],
];

describe("every end, what it means and what is done", () => {
  test.each(rows)("%s", (_, evidence, history, cause, action) => {
    expect(decideEnding({ ...failed, ...evidence }, { ...first, ...history }, rules)).toEqual({ cause, action });
  });
});

test("whatever the evidence, a wilful end is never acted on", () => {
  const errors: Evidence["finalError"][] = [null, ...rows.flatMap(([, { finalError }]) => finalError ?? [])];
  for (const finalError of errors) {
    for (const more of [left, { stopAsked: true }, { signal: "SIGINT" }] as Partial<Evidence>[]) {
      for (const load of [{}, hugeGrowth]) {
        expect(decideEnding({ ...failed, ...load, finalError, ...more }, first, rules).action).toEqual(exit);
      }
    }
  }
});

test("what is counted in a row begins anew with an answer, or with another kind of end", () => {
  const history = { crashes: 2, limits: 2, restores: 2, restarts: 2 };
  const next = (action: Action, progress: boolean) => countRestart(history, action, progress);
  expect(next(resume(1_000), false)).toEqual({ crashes: 3, limits: 0, restores: 2, restarts: 3 });
  expect(next(resume(1_000), true)).toEqual({ crashes: 1, limits: 0, restores: 2, restarts: 3 });
  expect(next(wait(now), false)).toEqual({ crashes: 0, limits: 3, restores: 2, restarts: 3 });
  expect(next(wait(now), true)).toEqual({ crashes: 0, limits: 1, restores: 2, restarts: 3 });
  expect(next(restore, true)).toEqual({ crashes: 0, limits: 0, restores: 3, restarts: 3 });
});
