import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { assert, constantFrom, integer, property } from "fast-check";
import { parseResetTime } from "../../src/core/reset-time.ts";

setDefaultTimeout(60_000);

const at = (text: string): number => Date.parse(text);

describe("the clients' words for a reset", () => {
  test.each<[text: string, now: string, zone: string, expected: string | undefined]>([
    ["You've hit your limit · resets 2:50am (UTC)", "2026-11-16T01:00:00Z", "UTC", "2026-11-16T02:50:00Z"],
    ["You've hit your limit · resets 2:50am (UTC)", "2026-11-16T04:00:00Z", "UTC", "2026-11-17T02:50:00Z"],
    ["resets 10pm (America/New_York)", "2026-11-16T12:00:00Z", "UTC", "2026-11-17T03:00:00Z"],
    ["resets Nov 19, 12:48pm (UTC)", "2026-11-16T12:00:00Z", "Asia/Tokyo", "2026-11-19T12:48:00Z"],
    ["Weekly limit reached ∙ resets Nov 19, 12:48pm", "2026-11-16T12:00:00Z", "Asia/Tokyo", "2026-11-19T03:48:00Z"],
    ["Session limit reached ∙ resets 2:28am", "2026-11-16T00:00:00Z", "Europe/Berlin", "2026-11-16T01:28:00Z"],
    ["Spending cap reached resets 2:25am", "2026-11-16T00:00:00Z", "UTC", "2026-11-16T02:25:00Z"],
    ["resets 12am (UTC)", "2026-11-16T12:00:00Z", "UTC", "2026-11-17T00:00:00Z"],
    ["resets 12pm (UTC)", "2026-11-16T11:00:00Z", "UTC", "2026-11-16T12:00:00Z"],
    ["resets Jan 2, 1am (UTC)", "2026-12-30T12:00:00Z", "UTC", "2027-01-02T01:00:00Z"],
    ["this very minute: resets 4am (UTC)", "2026-11-16T04:00:30Z", "UTC", "2026-11-16T04:00:30Z"],
    ["a zone nobody knows: resets 4am (Nowhere/Else)", "2026-11-16T01:00:00Z", "UTC", "2026-11-16T04:00:00Z"],
    ["too far: resets Dec 30, 1am (UTC)", "2026-11-16T04:00:00Z", "UTC", undefined],
    ["in the past: resets Nov 2, 1am (UTC)", "2026-11-16T04:00:00Z", "UTC", undefined],
    ["resets 13pm (UTC)", "2026-11-16T04:00:00Z", "UTC", undefined],
    ["resets 2:75am (UTC)", "2026-11-16T04:00:00Z", "UTC", undefined],
    ["resets soon", "2026-11-16T04:00:00Z", "UTC", undefined],
    // The clocks go forward: 2:30 does not exist and means 3:30.
    ["resets 2:30am (America/New_York)", "2027-03-14T05:00:00Z", "UTC", "2027-03-14T07:30:00Z"],
    // The clocks go back: 1:30 comes twice, and the first one is over.
    ["resets 1:30am (America/New_York)", "2026-11-01T05:40:00Z", "UTC", "2026-11-01T06:30:00Z"],
    ["resets 5am (America/New_York)", "2026-11-01T05:40:00Z", "UTC", "2026-11-01T10:00:00Z"],
  ])("%s at %s", (text, now, zone, expected) => {
    expect(parseResetTime(text, at(now), zone)).toBe(expected === undefined ? undefined : at(expected));
  });
});

test("is never in the past and never more than eight days ahead", () => {
  const zones = constantFrom("UTC", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia");
  const minutes = integer({ min: 0, max: 366 * 24 * 60 });
  assert(
    property(minutes, integer({ min: 1, max: 12 }), integer({ min: 0, max: 59 }), zones, (minute, hour, past, zone) => {
      const now = at("2026-01-01T00:00:30Z") + minute * 60_000;
      const time = parseResetTime(`resets ${hour}:${String(past).padStart(2, "0")}pm (${zone})`, now, "UTC") ?? -1;
      expect(time).toBeGreaterThanOrEqual(now);
      expect(time).toBeLessThan(now + 26 * 3_600_000);
    }),
    { numRuns: 300 },
  );
});
