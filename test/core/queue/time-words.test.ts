import { describe, expect, test } from "bun:test";
import { readMoment } from "../../../src/core/queue/time-words.ts";

/** The words, and the moment they mean in UTC, or a part of the problem. */
type Rows = readonly (readonly [words: string, expected: string])[];

function check(zone: string, now: string, rows: Rows): void {
  test.each(rows.map(([words, expected]) => [words, expected] as const))(`%j is %s`, (words, expected) => {
    const moment = readMoment(words, { now: Date.parse(now), zone });
    const said = moment.kind === "time" ? new Date(moment.time).toISOString().replace(":00.000Z", "Z") : moment.problem;
    if (/^\d{4}-/.test(expected)) expect(said).toBe(expected);
    else expect(said).toContain(expected);
  });
}

describe("in Berlin, on Wednesday, November 18, 2026, at 14:30", () => {
  check("Europe/Berlin", "2026-11-18T13:30:00Z", [
    ["22:00", "2026-11-18T21:00Z"],
    ["22:00:00", "2026-11-18T21:00Z"],
    ["at 22:00", "2026-11-18T21:00Z"],
    ["  22:00  ", "2026-11-18T21:00Z"],
    ["14:30", "2026-11-18T13:30Z"],
    ["14:29", "2026-11-19T13:29Z"],
    ["6:00", "2026-11-19T05:00Z"],
    ["06:00", "2026-11-19T05:00Z"],
    ["0:00", "2026-11-18T23:00Z"],
    ["midnight", "2026-11-18T23:00Z"],
    ["noon", "2026-11-19T11:00Z"],
    ["6am", "2026-11-19T05:00Z"],
    ["6 am", "2026-11-19T05:00Z"],
    ["6:30pm", "2026-11-18T17:30Z"],
    ["6:30 PM", "2026-11-18T17:30Z"],
    ["12am", "2026-11-18T23:00Z"],
    ["12pm", "2026-11-19T11:00Z"],
    ["12:05am", "2026-11-18T23:05Z"],
    ["today 18:00", "2026-11-18T17:00Z"],
    ["18:00 today", "2026-11-18T17:00Z"],
    ["tonight 23:15", "2026-11-18T22:15Z"],
    ["tomorrow 6am", "2026-11-19T05:00Z"],
    ["tomorrow at 6am", "2026-11-19T05:00Z"],
    ["Tomorrow  6AM", "2026-11-19T05:00Z"],
    ["6am tomorrow", "2026-11-19T05:00Z"],
    ["tomorrow 23:59", "2026-11-19T22:59Z"],
    ["tomorrow noon", "2026-11-19T11:00Z"],
    ["wednesday 15:00", "2026-11-18T14:00Z"],
    ["wednesday 14:00", "2026-11-25T13:00Z"],
    ["wed 15:00", "2026-11-18T14:00Z"],
    ["monday 9:00", "2026-11-23T08:00Z"],
    ["mon 9am", "2026-11-23T08:00Z"],
    ["9:00 sunday", "2026-11-22T08:00Z"],
    ["sun at 9:00", "2026-11-22T08:00Z"],
    ["2026-12-01T08:00", "2026-12-01T07:00Z"],
    ["2026-12-01 08:00", "2026-12-01T07:00Z"],
    ["2026-12-01 8am", "2026-12-01T07:00Z"],
    ["2026-12-01T08:00:00", "2026-12-01T07:00Z"],
    ["2026-12-01T08:00Z", "2026-12-01T08:00Z"],
    ["2026-12-01T08:00:00Z", "2026-12-01T08:00Z"],
    ["2026-12-01t08:00z", "2026-12-01T08:00Z"],
    ["2026-12-01T08:00+02:00", "2026-12-01T06:00Z"],
    ["2026-12-01T08:00-0500", "2026-12-01T13:00Z"],
    ["2027-02-28T00:00", "2027-02-27T23:00Z"],
    ["22:00 UTC", "2026-11-18T22:00Z"],
    ["22:00 utc", "2026-11-18T22:00Z"],
    ["22:00 America/New_York", "2026-11-19T03:00Z"],
    ["tomorrow 6am America/Los_Angeles", "2026-11-19T14:00Z"],
    ["tomorrow 6am Asia/Kolkata", "2026-11-19T00:30Z"],
    ["2026-12-01T08:00 Asia/Tokyo", "2026-11-30T23:00Z"],
    ["now", "2026-11-18T13:30Z"],
    ["2h", "2026-11-18T15:30Z"],
    ["in 2h", "2026-11-18T15:30Z"],
    ["+90m", "2026-11-18T15:00Z"],
    ["in 1h30m", "2026-11-18T15:00Z"],
    ["in 1h 30m", "2026-11-18T15:00Z"],
    ["2d", "2026-11-20T13:30Z"],
    ["1w", "2026-11-25T13:30Z"],
    ["today 14:00", "is in the past"],
    ["2026-11-18T14:29", "is in the past"],
    ["2026-11-18T13:29Z", "is in the past"],
    ["2020-01-01 00:00", "is in the past"],
    ["2028-01-01 00:00", "more than a year ahead"],
    ["400d", "more than a year ahead"],
    ["tomorrow", 'has no time of day; add one, such as "tomorrow 6am"'],
    ["monday", "has no time of day"],
    ["2026-12-01", "has no time of day"],
    ["25:00", "is not a time"],
    ["12:60", "is not a time"],
    ["13pm", "is not a time"],
    ["0am", "is not a time"],
    ["22", "is not a time"],
    ["soon", "is not a time; use for example 22:00"],
    ["", "is not a time"],
    ["2026-02-30T08:00", "is not a time"],
    ["2026-02-30T08:00Z", "is not a time"],
    ["2026-13-01T08:00", "is not a time"],
    ["22:00 Mars/Olympus", "is not a time"],
    ["tomorrow tomorrow", "is not a time"],
    ["-2h", "is not a time"],
  ]);
});

describe("in Berlin, when clocks go forward at 2:00 on March 28, 2027", () => {
  check("Europe/Berlin", "2027-03-27T20:00:00Z", [
    ["1:59", "2027-03-28T00:59Z"],
    // There is no 2:30; without the change it would be 1:30 UTC, which clocks show as 3:30.
    ["2:30", "2027-03-28T01:30Z"],
    ["3:00", "2027-03-28T01:00Z"],
    ["tomorrow 6am", "2027-03-28T04:00Z"],
    ["monday 6am", "2027-03-29T04:00Z"],
    ["24h", "2027-03-28T20:00Z"],
  ]);
});

describe("in New York, when clocks go back at 2:00 on November 1, 2026", () => {
  check("America/New_York", "2026-11-01T03:00:00Z", [
    // 1:30 comes twice; the first one counts.
    ["1:30", "2026-11-01T05:30Z"],
    ["2:00", "2026-11-01T07:00Z"],
    ["tomorrow 1:30", "2026-11-01T05:30Z"],
    ["tomorrow 6am", "2026-11-01T11:00Z"],
    ["sunday 23:00", "2026-11-02T04:00Z"],
  ]);
});

describe("in New York, between the first and the second 1:30", () => {
  check("America/New_York", "2026-11-01T05:45:00Z", [
    ["1:30", "2026-11-01T06:30Z"],
    ["today 1:30am", "2026-11-01T06:30Z"],
  ]);
});

describe("in zones with odd offsets and across the date line", () => {
  check("Asia/Kathmandu", "2026-11-18T13:30:00Z", [
    ["22:00", "2026-11-18T16:15Z"],
    ["tomorrow 6am", "2026-11-19T00:15Z"],
  ]);
  check("Pacific/Kiritimati", "2026-11-18T13:30:00Z", [
    ["2:00", "2026-11-19T12:00Z"],
    ["tomorrow 2:00", "2026-11-19T12:00Z"],
  ]);
  check("Pacific/Pago_Pago", "2026-11-18T05:00:00Z", [
    ["tomorrow 6am", "2026-11-18T17:00Z"],
    ["tuesday 23:00", "2026-11-18T10:00Z"],
  ]);
  check("Australia/Lord_Howe", "2026-10-03T12:00:00Z", [
    // Clocks go forward by half an hour at 2:00.
    ["2:15", "2026-10-03T15:45Z"],
    ["6am", "2026-10-03T19:00Z"],
  ]);
});
