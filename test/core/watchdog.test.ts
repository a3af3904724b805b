import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isCrashLoop } from "../../src/core/start-limit.ts";
import { judge, type SignsOfLife } from "../../src/core/watchdog.ts";

const minute = 60_000;
const rules = { patience: 10 * minute, mostPerHour: 3 };
const now = 1_800_000_000_000;
const signs = (changes: Partial<SignsOfLife> = {}): SignsOfLife => ({
  goneFor: null,
  atWork: true,
  waits: false,
  silence: 11 * minute,
  ...changes,
});

describe("the watchdog", () => {
  const cases: [why: string, signs: SignsOfLife, verdict: "restart" | "leave"][] = [
    ["restarts what is at work and silent", signs(), "restart"],
    ["restarts after exactly that long", signs({ silence: 10 * minute }), "restart"],
    ["restarts when claude is gone and nobody tells", signs({ goneFor: 10_000, atWork: false, silence: 0 }), "restart"],
    ["leaves an end to be told, whatever it was doing", signs({ goneFor: 9_999 }), "leave"],
    ["leaves what is idle, however long", signs({ atWork: false, silence: 1_000 * minute }), "leave"],
    ["leaves what waits for the user or a limit", signs({ waits: true, silence: 1_000 * minute }), "leave"],
    ["leaves what has just moved", signs({ silence: 9 * minute }), "leave"],
  ];
  test.each(cases)("%s", (_why, seen, verdict) => expect(judge(seen, [], rules, now).kind).toBe(verdict));

  test("steps in three times an hour at most, and again when the hour is over", () => {
    const restarts = [now - 50 * minute, now - 30 * minute, now - 11 * minute];
    expect(judge(signs(), restarts.slice(1), rules, now).kind).toBe("restart");
    expect(judge(signs(), restarts, rules, now).kind).toBe("give-up");
    expect(judge(signs(), restarts, rules, now + 11 * minute).kind).toBe("restart");
    // The clock was set back by a day.
    expect(judge(signs(), restarts, rules, now - 1_440 * minute).kind).toBe("restart");
  });

  test("never touches what waits, whatever else is seen of a living claude", () => {
    const any = fc.record({ atWork: fc.boolean(), silence: fc.nat() });
    fc.assert(
      fc.property(any, (seen) =>
        expect(judge({ ...seen, goneFor: null, waits: true }, [], rules, now).kind).toBe("leave"),
      ),
    );
  });
});

test("a crash loop is more starts than the burst within the time", () => {
  const limit = { burst: 3, seconds: 60 };
  expect(isCrashLoop([now - 3_000, now - 2_000, now], limit, now)).toBe(false);
  expect(isCrashLoop([now - 3_000, now - 2_000, now - 1_000, now], limit, now)).toBe(true);
  expect(isCrashLoop([now - 61_000, now - 2_000, now - 1_000, now], limit, now)).toBe(false);
});
