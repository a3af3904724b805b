import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isCrashLoop } from "../../../src/core/service/start-limit.ts";
import { decideWatchdog, type SignsOfLife } from "../../../src/core/service/watchdog.ts";

const minute = 60_000;
const rules = { silenceLimitMs: 10 * minute, maxRestartsPerHour: 3 };
const now = 1_800_000_000_000;
const signs = (changes: Partial<SignsOfLife> = {}): SignsOfLife => ({
  goneForMs: null,
  isWorking: true,
  isWaiting: false,
  silenceMs: 11 * minute,
  ...changes,
});

describe("the watchdog", () => {
  const cases: [why: string, signs: SignsOfLife, verdict: "restart" | "leave"][] = [
    ["restarts a working claude that is silent too long", signs(), "restart"],
    ["restarts at exactly the silence limit", signs({ silenceMs: 10 * minute }), "restart"],
    [
      "restarts when claude is gone and the host reports no end",
      signs({ goneForMs: 10_000, isWorking: false, silenceMs: 0 }),
      "restart",
    ],
    ["gives the host time to report an end", signs({ goneForMs: 9_999 }), "leave"],
    ["leaves an idle claude alone, however long", signs({ isWorking: false, silenceMs: 1_000 * minute }), "leave"],
    [
      "leaves a claude alone that waits for the user or a limit",
      signs({ isWaiting: true, silenceMs: 1_000 * minute }),
      "leave",
    ],
    ["leaves a claude alone that was active within the limit", signs({ silenceMs: 9 * minute }), "leave"],
  ];
  test.each(cases)("%s", (_why, seen, verdict) => expect(decideWatchdog(seen, [], rules, now).kind).toBe(verdict));

  test("restarts at most three times an hour, and again when the hour is over", () => {
    const restarts = [now - 50 * minute, now - 30 * minute, now - 11 * minute];
    expect(decideWatchdog(signs(), restarts.slice(1), rules, now).kind).toBe("restart");
    expect(decideWatchdog(signs(), restarts, rules, now).kind).toBe("give-up");
    expect(decideWatchdog(signs(), restarts, rules, now + 11 * minute).kind).toBe("restart");
    // The clock was set back by a day.
    expect(decideWatchdog(signs(), restarts, rules, now - 1_440 * minute).kind).toBe("restart");
  });

  test("never restarts a running claude that waits, whatever its other signs", () => {
    const any = fc.record({ isWorking: fc.boolean(), silenceMs: fc.nat() });
    fc.assert(
      fc.property(any, (seen) =>
        expect(decideWatchdog({ ...seen, goneForMs: null, isWaiting: true }, [], rules, now).kind).toBe("leave"),
      ),
    );
  });
});

test("more starts than the burst within the interval are a crash loop", () => {
  const limit = { burst: 3, seconds: 60 };
  expect(isCrashLoop([now - 3_000, now - 2_000, now], limit, now)).toBe(false);
  expect(isCrashLoop([now - 3_000, now - 2_000, now - 1_000, now], limit, now)).toBe(true);
  expect(isCrashLoop([now - 61_000, now - 2_000, now - 1_000, now], limit, now)).toBe(false);
});
