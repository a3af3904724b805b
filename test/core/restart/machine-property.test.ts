import { expect, test } from "bun:test";
import {
  type Arbitrary,
  array,
  assert,
  boolean,
  constantFrom,
  double,
  integer,
  option,
  property,
  record,
} from "fast-check";
import { allSignals } from "../../../scripts/run-diagram.ts";
import { type RunAction, type RunContext, type RunState, transition } from "../../../src/core/restart/machine.ts";
import { hasEnded, type Phase, phases } from "../../../src/core/run/run-record.ts";
import type { Signal } from "../../../src/core/restart/signal.ts";

const start = 1_800_000_000_000;
const hour = 3_600_000;
const firstState: RunState = { phase: "starting", until: null, cause: null, fruitless: 0, restores: 0 };

/** Milliseconds relative to the current time. */
const moments = option(integer({ min: -hour, max: 200 * hour }), { nil: null });
const rules = record({
  maxAttempts: integer({ min: 1, max: 12 }),
  maxWait: option(integer({ min: 0, max: 10 * hour }), { nil: null }),
  firstDelay: integer({ min: 0, max: 60_000 }),
  unknownLimit: integer({ min: 0, max: 2 * hour }),
});
const happenings = record({
  signal: constantFrom(...allSignals),
  progress: boolean(),
  resets: moments,
  passed: integer({ min: 0, max: hour }),
  random: double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  begun: boolean(),
  known: moments,
  turn: integer({ min: 0, max: 60_000 }),
});

type ValueOf<Values> = Values extends Arbitrary<infer Value> ? Value : never;
type Happening = ValueOf<typeof happenings>;
type Rules = ValueOf<typeof rules>;

interface Seen {
  readonly before: RunState;
  readonly signal: Signal;
  readonly context: RunContext;
  readonly state: RunState;
  readonly actions: readonly RunAction[];
}

/** Sends the signals to a run, one after the other, and returns every step. */
function sendSignals(given: Rules, happened: readonly Happening[], from: RunState = firstState): Seen[] {
  let state = from;
  let now = start;
  return happened.map(({ signal: kind, progress, resets, passed, random, begun, known, turn }) => {
    now += passed;
    const signal = withDetails(kind, progress, resets === null ? null : now + resets, now);
    const knownLimit = known === null ? null : now + known;
    const context: RunContext = { ...given, now, random, begun, knownLimit, turn };
    const before = state;
    const next = transition(before, signal, context);
    state = next.state;
    return { before, signal, context, ...next };
  });
}

function withDetails(signal: Signal, progress: boolean, resetsAt: number | null, now: number): Signal {
  if (signal.kind === "retrying") {
    const until = resetsAt ?? now;
    return { ...signal, until: signal.why === "limit" ? until : Math.min(until, now + 5 * 60_000) };
  }
  if (signal.kind !== "ended") return signal;
  return { ...signal, progress, end: signal.end.kind === "limit" ? { kind: "limit", resetsAt } : signal.end };
}

const histories = array(happenings, { maxLength: 40, size: "max" });
const always = (check: (seen: Seen, rules: Rules) => void): void =>
  assert(
    property(rules, histories, constantFrom(...phases), (given, happened, phase) => {
      for (const seen of sendSignals(given, happened, { ...firstState, phase })) check(seen, given);
    }),
    { numRuns: 2_000 },
  );
/** Limits and failures of the API last as long as they last. */
const isOutside = (cause: string | null): boolean => cause === "limit" || cause === "server";
const isActive = (phase: Phase): boolean => !hasEnded(phase) && phase !== "paused";

test("done and stopped runs never change and cause no action", () => {
  always(({ before, state, actions }) => {
    if (before.phase !== "done" && before.phase !== "stopped") return;
    expect(state).toEqual(before);
    expect(actions).toEqual([]);
  });
});

test("a stop ends every run that has not ended, for good", () => {
  always(({ before, signal, state, actions }) => {
    if (signal.kind !== "stop" || before.phase === "done") return;
    expect(state.phase).toBe("stopped");
    if (before.phase !== "stopped") expect(actions.at(-1)).toEqual({ kind: "finish", exit: "stopped" });
  });
});

test("only a begin launches, prepares or waits in an inactive run", () => {
  always(({ before, signal, state, actions }) => {
    if (isActive(before.phase) || signal.kind === "begin") return;
    if (signal.kind === "stop") return expect(isActive(state.phase)).toBe(false);
    expect(actions).toEqual([]);
    expect(state).toEqual(before);
  });
});

test("the crashes without an answer never exceed the maximum", () => {
  always(({ state }, { maxAttempts }) => {
    if (!isOutside(state.cause)) expect(state.fruitless).toBeLessThanOrEqual(maxAttempts);
  });
});

test("an API that fails is retried within the maximum wait, at most five minutes later", () => {
  always(({ before, context, state, actions }, { maxWait }) => {
    if (state.phase !== "backing-off" || state === before || state.cause !== "server") return;
    const [wait] = actions;
    if (wait?.kind !== "wait") throw new Error("a run that backs off waits");
    if (wait.isSilent) return;
    expect(wait.until - context.now).toBeLessThanOrEqual(5 * 60_000);
    if (maxWait) expect(wait.until - (state.failingSince ?? 0)).toBeLessThanOrEqual(maxWait);
  });
});

test("no wait ends in the past, and no wait for a limit exceeds the maximum", () => {
  always(({ context, state, actions }, { maxWait }) => {
    for (const action of actions) {
      if (action.kind !== "wait") continue;
      expect(action.until).toBeGreaterThanOrEqual(context.now);
      if (!action.isSilent) expect(action.until).toBe(state.until ?? -1);
      if (state.phase === "waiting-limit" && maxWait !== null && !action.isSilent) {
        expect(action.until - context.now).toBeLessThanOrEqual(maxWait);
      }
    }
  });
});

test("only a waiting or paused run has an end of its wait", () => {
  const waits: ReadonlySet<Phase> = new Set(["waiting-limit", "backing-off", "paused"]);
  always(({ state }) => {
    if (!waits.has(state.phase)) expect(state.until).toBeNull();
  });
});

test("a run that exceeds the maximum wait is paused and records the reset", () => {
  always(({ before, context, state, actions }, { maxWait }) => {
    const isTooLong = actions.some((action) => action.kind === "finish" && action.exit === "waiting");
    if (!isTooLong) return;
    expect(before.phase).not.toBe("done");
    expect(state).toMatchObject({ phase: "paused", cause: "limit" });
    expect((state.until ?? 0) - context.now).toBeGreaterThan(maxWait ?? Infinity);
  });
});

test("a run finishes with an exit exactly when it leaves the active phases", () => {
  always(({ before, signal, state, actions }) => {
    const exits = actions.filter(({ kind }) => kind === "finish");
    const leaves = !isActive(state.phase) && (isActive(before.phase) || state !== before);
    expect(exits).toHaveLength(leaves ? 1 : 0);
    if (exits[0]) expect(actions.at(-1)).toEqual(exits[0]);
    // One signal starts at most one action, so nothing runs twice at once.
    expect(actions.filter(({ kind }) => kind !== "end-claude").length).toBeLessThanOrEqual(1);
    const isQuiet = signal.kind === "launched" || signal.kind === "answered";
    if (isActive(state.phase) && state.phase !== before.phase && !isQuiet) expect(actions).not.toBeEmpty();
  });
});

test("a claude is launched only after the previous one has ended", () => {
  // A begin comes from a new supervisor, which first ends any claude that is left.
  const going = happenings.filter(({ signal }) => signal.kind !== "begin" && signal.kind !== "stop");
  assert(
    property(rules, array(going, { maxLength: 60, size: "max" }), (given, happened) => {
      const begin: Happening = { ...firstHappening, signal: { kind: "begin" } };
      let alive = false;
      for (const { signal, before, actions } of sendSignals(given, [begin, ...happened])) {
        const hasClaude = before.phase === "starting" || before.phase === "working" || before.claudeWaits;
        if (signal.kind === "ended" && hasClaude) alive = false;
        for (const { kind } of actions) {
          if (kind === "launch") {
            expect(alive).toBe(false);
            alive = true;
          }
          if (kind === "end-claude") alive = false;
          if (kind === "finish") expect(alive).toBe(false);
        }
      }
    }),
    { numRuns: 2_000 },
  );
});

const firstHappening: Happening = {
  signal: { kind: "begin" },
  progress: false,
  resets: null,
  passed: 0,
  random: 0,
  begun: false,
  known: null,
  turn: 0,
};

test("attempts without an answer end the run, for every kind of end that is claude's own", () => {
  const ends = constantFrom(...allSignals.filter((signal) => signal.kind === "ended" && !isOutside(signal.end.kind)));
  assert(
    property(rules, array(ends, { minLength: 12, maxLength: 12 }), moments, (given, deaths, resets) => {
      const happened = deaths.flatMap((signal) =>
        [{ kind: "reached" } as const, { kind: "ready" } as const, { kind: "launched" } as const, signal].map(
          (each): Happening => ({ ...firstHappening, signal: each, begun: true, resets }),
        ),
      );
      const all = sendSignals(given, [firstHappening, ...happened]);
      expect(isActive(all.at(-1)?.state.phase ?? "working")).toBe(false);
      const launches = all.flatMap(({ actions }) => actions).filter(({ kind }) => kind === "launch");
      expect(launches.length).toBeLessThanOrEqual(given.maxAttempts);
    }),
    { numRuns: 2_000 },
  );
});
