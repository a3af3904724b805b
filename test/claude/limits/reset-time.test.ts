import { describe, expect, test } from "bun:test";
import { array, assert, constantFrom, integer, oneof, property, string } from "fast-check";
import { parseResetTime } from "../../../src/claude/limits/reset-time.ts";

const clockAt = (now: number, zone: string) => ({
  now,
  zone,
  latestReset: now + 8 * 24 * 3_600_000,
  latestSpendReset: now + 32 * 24 * 3_600_000,
});
const at = (text: string): number => Date.parse(text);

describe("parses the reset times of the clients", () => {
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
    ["unknown zone: resets 4am (Nowhere/Else)", "2026-11-16T01:00:00Z", "UTC", "2026-11-16T04:00:00Z"],
    ["too far: resets Dec 30, 1am (UTC)", "2026-11-16T04:00:00Z", "UTC", undefined],
    ["in the past: resets Nov 2, 1am (UTC)", "2026-11-16T04:00:00Z", "UTC", undefined],
    ["regain access on 2026-11-20 at 00:00 UTC.", "2026-11-16T04:00:00Z", "Asia/Tokyo", "2026-11-20T00:00:00Z"],
    ["spend limit reached · resets Nov 20", "2026-11-16T04:00:00Z", "Asia/Tokyo", "2026-11-20T00:00:00Z"],
    ["resets 13pm (UTC)", "2026-11-16T04:00:00Z", "UTC", undefined],
    ["resets 2:75am (UTC)", "2026-11-16T04:00:00Z", "UTC", undefined],
    ["resets soon", "2026-11-16T04:00:00Z", "UTC", undefined],
    // Clocks go forward: 2:30 does not exist and means 3:30.
    ["resets 2:30am (America/New_York)", "2027-03-14T05:00:00Z", "UTC", "2027-03-14T07:30:00Z"],
    // Clocks go back: 1:30 occurs twice, and the first one is over.
    ["resets 1:30am (America/New_York)", "2026-11-01T05:40:00Z", "UTC", "2026-11-01T06:30:00Z"],
    ["resets 5am (America/New_York)", "2026-11-01T05:40:00Z", "UTC", "2026-11-01T10:00:00Z"],
  ])("%s at %s", (text, now, zone, expected) => {
    expect(parseResetTime(text, clockAt(at(now), zone))).toBe(expected === undefined ? undefined : at(expected));
  });
});

describe("parses reset times of other clients, proxies and services", () => {
  const monday = "2026-11-16T12:00:00Z";
  test.each<[text: string, expected: string | undefined, zone?: string, now?: string]>([
    // Weekdays: the next one, or today if the time is still ahead.
    ["resets Thursday at 3pm", "2026-11-19T15:00:00Z"],
    ["resets Thu, 3:00 PM (Europe/Berlin)", "2026-11-19T14:00:00Z"],
    ["resets on Mon at 3 p.m.", "2026-11-16T15:00:00Z"],
    ["resets Monday 11am", "2026-11-23T11:00:00Z"],
    ["resets Sunday at 1:30am (America/New_York)", "2026-11-01T05:30:00Z", "UTC", "2026-10-30T12:00:00Z"],
    ["already Tuesday there: resets Tue 6am (Asia/Tokyo)", "2026-11-16T21:00:00Z", "UTC", "2026-11-16T20:00:00Z"],
    ["resets tomorrow at 9am", "2026-11-17T03:30:00Z", "Asia/Kolkata"],
    ["resets today at 11am", undefined],
    // Epochs.
    ["Claude AI usage limit reached|1794844800", "2026-11-16T16:00:00Z"],
    ["Claude AI usage limit reached|1794844800500", "2026-11-16T16:00:00.500Z"],
    ["resets at 1794844800", "2026-11-16T16:00:00Z"],
    ["Claude AI usage limit reached|1763377200", undefined],
    ["Claude AI usage limit reached|17948448001", undefined],
    ["Claude AI usage limit reached|1799999999", undefined],
    // Durations.
    ["resets in 3 hours 20 minutes", "2026-11-16T15:20:00Z"],
    ["resets in 1 hour, 5 minutes and 10 seconds", "2026-11-16T13:05:10Z"],
    ["resets in 45m", "2026-11-16T12:45:00Z"],
    ["resets in 3h20m", "2026-11-16T15:20:00Z"],
    ["resets in 1.5 hours", "2026-11-16T13:30:00Z"],
    ["resets in 2 days", "2026-11-02T12:00:00Z", "America/New_York", "2026-10-31T12:00:00Z"],
    ["Please try again in 5 minutes.", "2026-11-16T12:05:00Z"],
    ["resets in 9 days", undefined],
    ["resets in 3 months", undefined],
    [`resets in ${"9".repeat(400)} days`, undefined],
    // 24-hour clock.
    ["resets 14:50", "2026-11-16T14:50:00Z"],
    ["resets at 02:50 (Europe/Berlin)", "2026-11-17T01:50:00Z"],
    ["resets 0:05 UTC", "2026-11-17T00:05:00Z", "Asia/Tokyo"],
    ["resets 24:00", undefined],
    ["resets 14:50pm", undefined],
    ["resets 14:500", undefined],
    ["resets 3", undefined],
    // Timestamps.
    ["resets 2026-11-19T12:48:30Z", "2026-11-19T12:48:30Z", "Asia/Tokyo"],
    ["resets at 2026-11-19T12:48:00.000+01:00", "2026-11-19T11:48:00Z"],
    ["resets 2026-11-19 12:48", "2026-11-19T03:48:00Z", "Asia/Tokyo"],
    ["resets 2026-11-19 12:48 (America/New_York)", "2026-11-19T17:48:00Z", "Asia/Tokyo"],
    ["resets 2026-13-19T12:48:00Z", undefined],
    ["resets 2026-12-19T12:48:00Z", undefined],
    // With a year, and with the narrow space that newer versions of ICU put before AM and PM.
    ["resets Jan 2, 2027, 1am (UTC)", "2027-01-02T01:00:00Z", "UTC", "2026-12-30T12:00:00Z"],
    ["resets Jan 2, 2026, 1am (UTC)", undefined, "UTC", "2026-12-30T12:00:00Z"],
    ["resets 2:50\u202fPM (UTC)", "2026-11-16T14:50:00Z"],
    // No reset time.
    ["presets 2:50pm", undefined],
    ["it was 2:50pm", undefined],
    ["request 1794844800 failed", undefined],
    ["", undefined],
  ])("%s: %s", (text, expected, zone = "UTC", now = monday) => {
    expect(parseResetTime(text, clockAt(at(now), zone))).toBe(expected === undefined ? undefined : at(expected));
  });
});

describe("parses reset times around a clock change", () => {
  test.each<[what: string, text: string, now: string, expected: string]>([
    ["skipped time", "resets 2:30am (Europe/Berlin)", "2027-03-27T22:00:00Z", "2027-03-28T01:30:00Z"],
    [
      "skipped time, by half an hour",
      "resets 2:15am (Australia/Lord_Howe)",
      "2026-10-03T12:00:00Z",
      "2026-10-03T15:45:00Z",
    ],
    ["skipped time at midnight", "resets 12:30am (America/Santiago)", "2026-09-05T20:00:00Z", "2026-09-06T04:30:00Z"],
    ["after the change", "resets 3am (Europe/Berlin)", "2027-03-27T22:00:00Z", "2027-03-28T01:00:00Z"],
    ["repeated time, both ahead", "resets 2:30am (Europe/Berlin)", "2026-10-24T20:00:00Z", "2026-10-25T00:30:00Z"],
    ["repeated time, one is over", "resets 2:30am (Europe/Berlin)", "2026-10-25T00:45:00Z", "2026-10-25T01:30:00Z"],
    [
      "repeated time, by half an hour",
      "resets 1:45am (Australia/Lord_Howe)",
      "2027-04-03T14:50:00Z",
      "2027-04-03T15:15:00Z",
    ],
    ["repeated time, both over", "resets 2:30am (Europe/Berlin)", "2026-10-25T02:00:00Z", "2026-10-26T01:30:00Z"],
    // 24 hours later it is still the same local day.
    ["a day of 25 hours", "resets 12:15am (America/New_York)", "2026-11-01T04:30:00Z", "2026-11-02T05:15:00Z"],
    ["a day of 23 hours", "resets 11:45pm (America/New_York)", "2027-03-14T04:50:00Z", "2027-03-15T03:45:00Z"],
  ])("%s: %s at %s", (_, text, now, expected) => {
    expect(parseResetTime(text, clockAt(at(now), "UTC"))).toBe(at(expected));
  });
});

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const years = integer({ min: at("2026-01-01T00:00:00Z"), max: at("2030-12-31T00:00:00Z") });
const zones = constantFrom(...Intl.supportedValuesOf("timeZone"));

/** Formats a time as the clients do: no date up to a day ahead, no minutes for full hours, the year only when it differs. */
function formatLikeClients(time: number, now: number, zone: string, dated = time - now > day): string {
  const part = (moment: number, options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat("en-US", { ...options, timeZone: zone }).format(moment);
  const isFull = part(time, { minute: "numeric" }) === "0";
  const clock: Intl.DateTimeFormatOptions = {
    hour: "numeric",
    hour12: true,
    ...(isFull ? {} : { minute: "2-digit" }),
  };
  const sameYear = part(time, { year: "numeric" }) === part(now, { year: "numeric" });
  const date: Intl.DateTimeFormatOptions = {
    month: "short",
    day: "numeric",
    ...(sameYear ? {} : { year: "numeric" }),
  };
  const words = part(time, dated ? { ...date, ...clock } : clock);
  return `${words.replace(/\s([AP]M)/i, (_, half: string) => half.toLowerCase())} (${zone})`;
}

test("parses every moment of the next eight days to the minute, in every zone", () => {
  assert(
    property(years, integer({ min: 0, max: 8 * day }), zones, (now, ahead, zone) => {
      const time = now + ahead;
      const dated = time - now > day;
      const words = formatLikeClients(time, now, zone, dated);
      const isSaid = (moment: number): boolean => formatLikeClients(moment, now, zone, dated) === words;
      // Of several moments with the same clock time, the next one counts.
      const shifts = [0, 0.5 * hour, hour, 2 * hour];
      const earlier = shifts.flatMap((shift) => [time - shift, time - day - shift, time - day + shift]);
      const meant = earlier
        .filter((moment) => moment <= time && isSaid(moment))
        .map((moment) => Math.floor(moment / minute) * minute)
        .filter((moment) => moment >= now - minute);
      expect(parseResetTime(`You've hit your limit · resets ${words}`, clockAt(now, "UTC"))).toBe(
        Math.max(now, Math.min(...meant)),
      );
    }),
    { numRuns: 1_000 },
  );
});

test("a reset is never in the past and never more than eight days ahead, for any text", () => {
  const word = constantFrom(
    ..."resets|reset|at|in|on|try again|Thu|Nov 19,|2:30am|14:50|3pm|45m|9 days||1794844800|2026-11-19T12:48Z|(UTC)".split(
      "|",
    ),
    "|1794844800",
    "(Asia/Tokyo)",
  );
  const words = array(oneof({ weight: 8, arbitrary: word }, { weight: 1, arbitrary: string() }), { maxLength: 6 });
  assert(
    property(words, years, zones, (said, now, zone) => {
      const time = parseResetTime(`resets ${said.join(" ")}`, clockAt(now, zone)) ?? now;
      expect(time).toBeGreaterThanOrEqual(now);
      expect(time).toBeLessThanOrEqual(now + 8 * day);
    }),
    { numRuns: 3_000 },
  );
});
