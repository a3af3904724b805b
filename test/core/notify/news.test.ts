import { describe, expect, test } from "bun:test";
import type { HostedState } from "../../../src/core/host/hosted-state.ts";
import { type HostedTold, newsOfEnd, newsOfHosted, nothingTold } from "../../../src/core/notify/hosted-news.ts";
import type { NotifyEvent } from "../../../src/core/notify/notification.ts";
import { newsOfRun } from "../../../src/core/notify/run-news.ts";
import type { Phase } from "../../../src/core/run/run-record.ts";

describe("a run", () => {
  test.each([
    ["working", "waiting-limit", "limit", false, "limit"],
    ["waiting-limit", "recovering", "limit", true, undefined],
    ["starting", "working", null, true, "resumed"],
    ["starting", "working", null, false, undefined],
    ["waiting-limit", "working", null, true, "resumed"],
    ["working", "working", null, true, undefined],
    ["working", "backing-off", "server", false, undefined],
    ["working", "done", null, false, "done"],
    ["working", "failed", "billing", false, "failed"],
    ["working", "failed", "authentication", false, "failed"],
    ["starting", "failed", "refused", false, "failed"],
    ["working", "failed", "budget", false, "failed"],
    ["backing-off", "failed", "server", false, "gave-up"],
    ["working", "failed", "crash", false, "gave-up"],
    ["working", "failed", "overload", false, "gave-up"],
    ["working", "paused", "limit", false, "limit"],
    ["working", "paused", "interrupted", false, undefined],
    ["working", "paused", "shutdown", false, undefined],
    ["working", "stopped", "stopped", false, undefined],
  ] satisfies [Phase, Phase, string | null, boolean, NotifyEvent | undefined][])(
    "from %s to %s (%p), limited before: %p, is %p",
    (from, phase, cause, wasLimited, event) => {
      expect(newsOfRun({ phase: from, cause: null }, { phase, cause }, wasLimited)?.event).toBe(event as never);
    },
  );
});

describe("a hosted Claude", () => {
  const now = 1_800_000_000_000;
  const started: HostedTold = nothingTold(now);

  /** Plays states in order; each begins two seconds after the one before. Returns what was told. */
  function play(states: readonly HostedState[], terminals: number): (NotifyEvent | undefined)[] {
    let told = started;
    return states.map((state, n) => {
      const news = newsOfHosted(now + n * 2_000, { state, since: now + n * 2_000, terminals }, told);
      told = news.told;
      return news.event;
    });
  }

  const working: HostedState = { kind: "working" };
  const idle: HostedState = { kind: "idle", background: false };
  const asking: HostedState = { kind: "asking", about: "permission" };
  const limit: HostedState = { kind: "limit", until: now, held: null };
  const full: HostedState = { kind: "context-full" };

  test.each([
    ["starts and waits for a prompt", [idle], [undefined], [undefined]],
    ["finishes a turn", [working, idle], [undefined, "done"], [undefined, undefined]],
    [
      "leaves a task running",
      [working, { kind: "idle", background: true }],
      [undefined, undefined],
      [undefined, undefined],
    ],
    ["asks", [working, asking], [undefined, "needs-you"], [undefined, undefined]],
    ["is full", [working, full], [undefined, "needs-you"], [undefined, undefined]],
    [
      "waits for a limit and continues",
      [working, limit, working, idle],
      [undefined, "limit", "resumed", "done"],
      [undefined, "limit", "resumed", undefined],
    ],
    ["is idle after a limit", [working, limit, idle], [undefined, "limit", undefined], [undefined, "limit", undefined]],
  ] satisfies [string, HostedState[], unknown[], unknown[]][])("%s", (_, states, alone, attached) => {
    expect(play(states, 0)).toEqual(alone as never[]);
    expect(play(states, 1)).toEqual(attached as never[]);
  });

  test("a turn between two looks is told of once, from the report of the hook", () => {
    const moment = { state: idle, since: now, terminals: 0 };
    const first = newsOfHosted(now, moment, started);
    expect(first.event).toBeUndefined();
    const short = newsOfHosted(now + 1_000, { ...moment, turnEndedAt: now + 900 }, first.told);
    expect(short.event).toBe("done");
    expect(newsOfHosted(now + 2_000, { ...moment, turnEndedAt: now + 900 }, short.told).event).toBeUndefined();
    const next = { ...moment, turnEndedAt: now + 60_000 };
    expect(newsOfHosted(now + 61_000, next, short.told).event).toBe("done");
    expect(newsOfHosted(now + 61_000, { ...next, terminals: 1 }, short.told).event).toBeUndefined();
  });

  test("a report that comes after the look that saw the end of the turn is the same turn", () => {
    const seen = newsOfHosted(now, { state: idle, since: now, terminals: 0 }, { ...started, kind: "working" });
    expect(seen.event).toBe("done");
    const late = { state: idle, since: now, terminals: 0, turnEndedAt: now + 1_500 };
    expect(newsOfHosted(now + 2_000, late, seen.told).event).toBeUndefined();
  });

  test("at a terminal, a question is told of only when the user does not answer it", () => {
    const moment = { state: asking, since: now, terminals: 1 };
    const soon = newsOfHosted(now + 4_000, moment, started);
    expect(soon).toEqual({ told: started, again: 6_000 });
    const late = newsOfHosted(now + 10_000, moment, soon.told);
    expect(late).toMatchObject({ event: "needs-you", need: "permission" });
    expect(newsOfHosted(now + 20_000, moment, late.told).event).toBeUndefined();
  });

  test.each([
    [{ isExpected: false, exitCode: 0, signal: null }, 0, "done"],
    [{ isExpected: false, exitCode: 1, signal: null }, 0, "failed"],
    [{ isExpected: false, exitCode: 137, signal: "SIGKILL" }, 0, "failed"],
    [{ isExpected: true, exitCode: 143, signal: "SIGTERM" }, 0, undefined],
    [{ isExpected: false, exitCode: 0, signal: null }, 1, undefined],
    [{ isExpected: false, exitCode: 1, signal: null }, 1, undefined],
  ])("the end %j with %p terminals is %p", (end, terminals, event) => {
    expect(newsOfEnd(end, terminals)).toBe(event as never);
  });
});
