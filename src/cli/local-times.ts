import { formatTime } from "./format.ts";

const utcTimestamp = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Replaces the UTC timestamps of files and logs by local times. */
export const localTimes = (sentence: string, now: number): string =>
  sentence.replaceAll(utcTimestamp, (time) => {
    const moment = Date.parse(time);
    return Number.isNaN(moment) ? time : formatTime(moment, now);
  });
