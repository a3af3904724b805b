import { expect, setDefaultTimeout, test } from "bun:test";
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
import { allPhases, allSignals } from "../../scripts/run-diagram.ts";
import { type Action, type Context, type Life, transition } from "../../src/core/machine.ts";
import { hasEnded, type Phase } from "../../src/core/run-record.ts";
import type { Signal } from "../../src/core/signal.ts";

setDefaultTimeout(60_000);

const start = 1_800_000_000_000;
const hour = 3_600_000;
const firstLife: Life = { phase: "starting", until: null, cause: null, fruitless: 0, restores: 0 };

/** A moment, from the one that it happens at. */
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
  readonly before: Life;
  readonly signal: Signal;
  readonly context: Context;
  readonly life: Life;
  readonly actions: readonly Action[];
}

/** Everything that a run goes through when all this happens to it, one after the other. */
function live(given: Rules, happened: readonly Happening[], from: Life = firstLife): Seen[] {
  let life = from;
  let now = start;
  return happened.map(({ signal: kind, progress, resets, passed, random, begun, known, turn }) => {
    now += passed;
    const signal = withDetails(kind, progress, resets === null ? null : now + resets);
    const knownLimit = known === null ? null : now + known;
    const context: Context = { ...given, now, random, begun, knownLimit, turn };
    const before = life;
    const next = transition(before, signal, context);
    life = next.life;
    return { before, signal, context, ...next };
  });
}

function withDetails(signal: Signal, progress: boolean, resetsAt: number | null): Signal {
  if (signal.kind !== "ended") return signal;
  return { ...signal, progress, end: signal.end.kind === "limit" ? { kind: "limit", resetsAt } : signal.end };
}

const lives = array(happenings, { maxLength: 40, size: "max" });
const always = (check: (seen: Seen, rules: Rules) => void): void =>
  assert(
    property(rules, lives, constantFrom(...allPhases), (given, happened, phase) => {
      for (const seen of live(given, happened, { ...firstLife, phase })) check(seen, given);
    }),
    { numRuns: 2_000 },
  );
const isActive = (phase: Phase): boolean => !hasEnded(phase) && phase !== "paused";

test("done and stopped never change, and nothing is done about them", () => {
  always(({ before, life, actions }) => {
    if (before.phase !== "done" && before.phase !== "stopped") return;
    expect(life).toEqual(before);
    expect(actions).toEqual([]);
  });
});

test("a stop ends whatever has not ended, for good", () => {
  always(({ before, signal, life, actions }) => {
    if (signal.kind !== "stop" || before.phase === "done") return;
    expect(life.phase).toBe("stopped");
    if (before.phase !== "stopped") expect(actions.at(-1)).toEqual({ kind: "finish", exit: "stopped" });
  });
});

test("nothing is launched, prepared or waited for in a run that has been left, but by a begin", () => {
  always(({ before, signal, life, actions }) => {
    if (isActive(before.phase) || signal.kind === "begin") return;
    if (signal.kind === "stop") return expect(isActive(life.phase)).toBe(false);
    expect(actions).toEqual([]);
    expect(life).toEqual(before);
  });
});

test("the starts without an answer are never more than allowed", () => {
  always(({ life }, { maxAttempts }) => expect(life.fruitless).toBeLessThanOrEqual(maxAttempts));
});

test("no wait lies in the past, and one for a limit is never longer than allowed", () => {
  always(({ context, life, actions }, { maxWait }) => {
    for (const action of actions) {
      if (action.kind !== "wait") continue;
      expect(action.until).toBeGreaterThanOrEqual(context.now);
      expect(action.until).toBe(life.until ?? -1);
      if (life.phase === "waiting-limit" && maxWait !== null) {
        expect(action.until - context.now).toBeLessThanOrEqual(maxWait);
      }
    }
  });
});

test("who waits for nothing has no time to wait for", () => {
  const waits: ReadonlySet<Phase> = new Set(["waiting-limit", "backing-off", "paused"]);
  always(({ life }) => {
    if (!waits.has(life.phase)) expect(life.until).toBeNull();
  });
});

test("who waits too long at a limit is told so, and when it ends", () => {
  always(({ before, context, life, actions }, { maxWait }) => {
    const isTold = actions.some((action) => action.kind === "finish" && action.exit === "waiting");
    if (!isTold) return;
    expect(before.phase).not.toBe("done");
    expect(life).toMatchObject({ phase: "paused", cause: "limit" });
    expect((life.until ?? 0) - context.now).toBeGreaterThan(maxWait ?? Infinity);
  });
});

test("a run ends, and says with what, exactly when it leaves the phases in which something is under way", () => {
  always(({ before, signal, life, actions }) => {
    const exits = actions.filter(({ kind }) => kind === "finish");
    const leaves = !isActive(life.phase) && (isActive(before.phase) || life !== before);
    expect(exits).toHaveLength(leaves ? 1 : 0);
    if (exits[0]) expect(actions.at(-1)).toEqual(exits[0]);
    // At most one thing is begun by one signal, so nothing runs twice at once.
    expect(actions.filter(({ kind }) => kind !== "end-claude").length).toBeLessThanOrEqual(1);
    if (isActive(life.phase) && life.phase !== before.phase && signal.kind !== "launched") {
      expect(actions).toHaveLength(1);
    }
  });
});

test("there is one claude at most: none is launched before the last one has ended", () => {
  // A begin is a new supervisor, which makes sure by itself that no claude is left.
  const going = happenings.filter(({ signal }) => signal.kind !== "begin" && signal.kind !== "stop");
  assert(
    property(rules, array(going, { maxLength: 60, size: "max" }), (given, happened) => {
      const begin: Happening = { ...firstHappening, signal: { kind: "begin" } };
      let alive = false;
      for (const { signal, before, actions } of live(given, [begin, ...happened])) {
        if (signal.kind === "ended" && (before.phase === "starting" || before.phase === "working")) alive = false;
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

test("starts that bring no answer come to an end, whatever they die of", () => {
  const ends = constantFrom(...allSignals.filter(({ kind }) => kind === "ended"));
  assert(
    property(rules, array(ends, { minLength: 12, maxLength: 12 }), moments, (given, deaths, resets) => {
      const happened = deaths.flatMap((signal) =>
        [{ kind: "reached" } as const, { kind: "ready" } as const, { kind: "launched" } as const, signal].map(
          (each): Happening => ({ ...firstHappening, signal: each, begun: true, resets }),
        ),
      );
      const all = live(given, [firstHappening, ...happened]);
      expect(isActive(all.at(-1)?.life.phase ?? "working")).toBe(false);
      const launches = all.flatMap(({ actions }) => actions).filter(({ kind }) => kind === "launch");
      expect(launches.length).toBeLessThanOrEqual(given.maxAttempts);
    }),
    { numRuns: 2_000 },
  );
});
