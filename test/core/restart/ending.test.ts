import { describe, expect, test } from "bun:test";
import type { EndCause, EndEvidence } from "../../../src/core/restart/cause.ts";
import { failedEvidence } from "../../support/runs/end-evidence.ts";
import {
  countRestart,
  decideEnding,
  type EndAction,
  type OfferedRestore,
  type RestartHistory,
  settleOffer,
} from "../../../src/core/restart/ending.ts";

const now = 1_800_000_000_000;
const rules = { now, firstDelay: 1_000, unknownLimit: 3_600_000 };
const first: RestartHistory = { crashes: 0, limits: 0, restores: 0, restarts: 0 };

const killed: Partial<EndEvidence> = { exitCode: 137, signal: "SIGKILL", endReason: null };
const hugeGrowth: Partial<EndEvidence> = { growth: 400_000, contextTokens: 190_000 };
const limit = (resetsAt?: number): Partial<EndEvidence> => ({ finalError: { kind: "limit", resetsAt } });
const tooLong: Partial<EndEvidence> = { finalError: { kind: "too-long", maximum: undefined } };
const exit: EndAction = { kind: "exit" };
const giveUp: EndAction = { kind: "give-up" };
const restore: EndAction = { kind: "restore" };
const offer = { kind: "offer-restore" } as const;
const requested = { restoreRequested: true } as const;
const resume = (delay: number): EndAction => ({ kind: "resume", delay });
const wait = (until: number, known = true): EndAction => ({ kind: "wait", until, known });

const unknownLimit = { kind: "limit", resetsAt: undefined } as const;
type Row = [
  what: string,
  evidence: Partial<EndEvidence>,
  history: Partial<RestartHistory>,
  cause: EndCause,
  action: EndAction | OfferedRestore["action"],
];

const left: Partial<EndEvidence> = { interactive: true, exitCode: 0, endReason: "left" };

const failing: Partial<EndEvidence> = { finalError: { kind: "server" }, progress: false };
const special = (of: "model" | "spend", resetsAt?: number): Partial<EndEvidence> => ({
  finalError: { kind: "limit", of, resetsAt },
});

const rows: Row[] = [
  // The user left, or claude finished.
  ["-p finished", { exitCode: 0 }, {}, "finished", exit],
  ["-p finished, no hook seen", { exitCode: 0, endReason: null, hooksSeen: false }, {}, "finished", exit],
  ["-p wrapped up near the limit", { exitCode: 0, ...limit(now + 60_000) }, {}, "limit", wait(now + 60_500)],
  ["-p wrapped up, reset unknown", { exitCode: 0, ...limit() }, {}, "limit", wait(now + 3_600_000, false)],
  ["/exit", left, {}, "left", exit],
  ["/exit with 400 KB of growth and a full context", { ...left, ...hugeGrowth }, {}, "left", exit],
  ["/exit at a limit", { ...left, ...limit(now + 60_000) }, {}, "left", exit],
  ["/exit after too long", { ...left, ...tooLong }, {}, "left", offer],
  ["/exit after too long, three times restored", { ...left, ...tooLong }, { restores: 3 }, "left", exit],
  ["/exit after too long, nothing to resume", { ...left, ...tooLong, resumable: false }, {}, "left", exit],
  ["left with an exit code", { ...left, exitCode: 1 }, {}, "left", exit],
  ["interactive, exit 0, nothing known", { interactive: true, exitCode: 0, endReason: null }, {}, "left", exit],
  // Asked to stop.
  ["Ctrl-C in -p", { stopAsked: true, exitCode: 130 }, {}, "stopped", exit],
  ["terminal closed", { signal: "SIGHUP", exitCode: 129 }, {}, "stopped", exit],
  ["terminated", { signal: "SIGTERM", exitCode: 143 }, {}, "stopped", exit],
  ["terminated at a limit", { signal: "SIGTERM", exitCode: 143, ...limit(now) }, {}, "stopped", exit],
  ["killed after a request to stop", { ...killed, stopAsked: true }, {}, "stopped", exit],
  ["SIGQUIT", { signal: "SIGQUIT", exitCode: 131 }, {}, "stopped", exit],
  // Nothing to resume.
  ["bad flags", { resumable: false, progress: false, hooksSeen: false, endReason: null }, {}, "not-started", exit],
  ["killed before the first message", { ...killed, resumable: false, progress: false }, {}, "not-started", exit],
  ["a refused resume", { progress: false, endReason: null, hooksSeen: false }, {}, "not-started", exit],
  ["a limit without a session", { ...limit(now), resumable: false, progress: false }, {}, "not-started", exit],
  // Failures that a restart would not fix.
  ["exit 1 with a proper end", {}, {}, "failed", exit],
  ["exit 1 without hooks", { endReason: null, hooksSeen: false }, {}, "failed", exit],
  ["another API error", { finalError: { kind: "other" } }, {}, "failed", exit],
  ["wrong login", { finalError: { kind: "authentication" } }, {}, "authentication", exit],
  ["no credit", { finalError: { kind: "billing" } }, {}, "billing", exit],
  ["no permission", { finalError: { kind: "permission" } }, {}, "permission", exit],
  ["wrong login, reported by the hook alone", { failure: { kind: "authentication" } }, {}, "authentication", exit],
  // Overload.
  ["too long", tooLong, {}, "overload", restore],
  ["too long, no snapshot", { ...tooLong, snapshotAge: null, growth: 0 }, {}, "overload", restore],
  ["killed, grown, full", { ...killed, ...hugeGrowth }, {}, "overload", restore],
  ["killed, grown, tokens unknown", { ...killed, ...hugeGrowth, contextTokens: null }, {}, "overload", restore],
  ["killed, grown, context half empty", { ...killed, growth: 400_000 }, {}, "crash", resume(1_000)],
  ["killed, grown, old snapshot", { ...killed, ...hugeGrowth, snapshotAge: 601_000 }, {}, "crash", resume(1_000)],
  ["killed, full, little growth", { ...killed, ...hugeGrowth, growth: 100_000 }, {}, "crash", resume(1_000)],
  ["exit 1, grown, full, no SessionEnd", { endReason: null, ...hugeGrowth }, {}, "overload", restore],
  ["exit 1, grown, full, proper end", hugeGrowth, {}, "failed", exit],
  ["too long, second time", tooLong, { restores: 1, restarts: 1 }, "overload", restore],
  ["too long, fourth time", tooLong, { restores: 3, restarts: 3 }, "overload", giveUp],
  // The host ended claude for a restore.
  ["ended for a restore by /exit", { ...left, ...tooLong, ...requested }, {}, "overload", restore],
  ["ended for a restore by SIGTERM", { signal: "SIGTERM", ...tooLong, ...requested }, {}, "overload", restore],
  ["ended for a restore, and stopped", { ...left, ...tooLong, ...requested, stopAsked: true }, {}, "stopped", exit],
  ["ended for a restore, but it fits", { ...left, ...requested }, {}, "left", exit],
  ["ended for a fourth restore", { ...left, ...tooLong, ...requested }, { restores: 3 }, "overload", giveUp],
  // Crash.
  ["killed", killed, {}, "crash", resume(1_000)],
  ["killed in the terminal", { ...killed, interactive: true }, {}, "crash", resume(1_000)],
  ["segmentation fault", { exitCode: 139, signal: "SIGSEGV", endReason: null }, {}, "crash", resume(1_000)],
  ["exit 1 without SessionEnd", { endReason: null }, {}, "crash", resume(1_000)],
  ["killed again without an answer", { ...killed, progress: false }, { crashes: 1 }, "crash", resume(2_000)],
  ["killed a third time", { ...killed, progress: false }, { crashes: 2 }, "crash", resume(4_000)],
  ["killed a fourth time", { ...killed, progress: false }, { crashes: 3 }, "crash", giveUp],
  ["killed a fourth time, with an answer", killed, { crashes: 3 }, "crash", resume(1_000)],
  ["killed after fifty restarts", killed, { restarts: 50 }, "crash", giveUp],
  // The API.
  ["529", { finalError: { kind: "server" } }, {}, "server", resume(1_000)],
  ["529 for the tenth time", failing, { serverFailures: 9 }, "server", resume(300_000)],
  ["529 after three crashes", failing, { crashes: 3 }, "server", resume(1_000)],
  ["529 for the fourth time in a terminal", { ...failing, interactive: true }, { serverFailures: 3 }, "server", giveUp],
  ["529 after fifty restarts", failing, { serverFailures: 49, restarts: 50 }, "server", giveUp],
  ["killed after ten times 529", { ...killed, progress: false }, { serverFailures: 10 }, "crash", resume(1_000)],
  ["529, reported by the hook alone", { failure: { kind: "server" } }, {}, "server", resume(1_000)],
  // Limits.
  ["limit", limit(now + 60_000), {}, "limit", wait(now + 60_500)],
  ["limit of a model", special("model", now + 60_000), {}, "limit", wait(now + 60_500)],
  ["limit of a model without a reset", special("model"), {}, "limit", { kind: "hold" }],
  ["spend limit in two weeks", special("spend", now + 1_209_600_000), {}, "limit", wait(now + 1_209_600_500)],
  ["spend limit without a reset", special("spend"), {}, "limit", { kind: "hold" }],
  ["limit that has just reset", limit(now - 5_000), {}, "limit", wait(now)],
  ["limit without a reset", limit(), {}, "limit", wait(now + 3_600_000, false)],
  ["limit, reported by the hook alone", { failure: unknownLimit }, {}, "limit", wait(now + 3_600_000, false)],
  ["exit 1, no SessionEnd, limit", { ...limit(now + 60_000), endReason: null }, {}, "limit", wait(now + 60_500)],
  ["limit still there after its reset", { ...limit(now), progress: false }, { limits: 1 }, "limit", wait(now + 15_000)],
  ["limit still there again", { ...limit(now), progress: false }, { limits: 2 }, "limit", wait(now + 60_000)],
  ["a new limit after an answer", limit(now), { limits: 5 }, "limit", wait(now + 500)],
  ["limit after fifty restarts", limit(now), { restarts: 50 }, "limit", giveUp],
];

describe("decideEnding finds the cause and the action", () => {
  test.each(rows)("%s", (_, evidence, history, cause, action) => {
    const decided: { cause: EndCause; action: EndAction | OfferedRestore["action"] } = decideEnding(
      { ...failedEvidence, ...evidence },
      { ...first, ...history },
      rules,
    );
    expect(decided).toEqual({ cause, action });
  });
});

test("restores what the user left only when the user agrees", () => {
  const offered = { cause: "left", action: offer } as const;
  expect(settleOffer(offered, true)).toEqual({ cause: "overload", action: restore });
  expect(settleOffer(offered, false)).toEqual({ cause: "left", action: exit });
});

test("never restarts a claude that the user left or stopped, without asking", () => {
  const errors: EndEvidence["finalError"][] = [null, ...rows.flatMap(([, { finalError }]) => finalError ?? [])];
  for (const finalError of errors) {
    for (const more of [left, { stopAsked: true }, { signal: "SIGINT" }] as Partial<EndEvidence>[]) {
      for (const load of [{}, hugeGrowth]) {
        const { action } = decideEnding({ ...failedEvidence, ...load, finalError, ...more }, first, rules);
        expect(action).toEqual(more === left && finalError?.kind === "too-long" ? offer : exit);
      }
    }
  }
});

test("counts in a row start again after an answer or after an end of another kind", () => {
  const history = { crashes: 2, serverFailures: 2, limits: 2, restores: 2, restarts: 2 };
  const next = (cause: EndCause, action: EndAction, progress: boolean) =>
    countRestart(history, { cause, action }, progress);
  const none = { crashes: 0, serverFailures: 0, limits: 0, restores: 2, restarts: 3 };
  expect(next("crash", resume(1_000), false)).toEqual({ ...none, crashes: 3 });
  expect(next("crash", resume(1_000), true)).toEqual({ ...none, crashes: 1 });
  expect(next("server", resume(1_000), false)).toEqual({ ...none, serverFailures: 3 });
  expect(next("server", resume(1_000), true)).toEqual({ ...none, serverFailures: 1 });
  expect(next("limit", wait(now), false)).toEqual({ ...none, limits: 3 });
  expect(next("limit", wait(now), true)).toEqual({ ...none, limits: 1 });
  expect(next("overload", restore, true)).toEqual({ ...none, restores: 3 });
});
