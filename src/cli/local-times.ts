import { formatTime } from "./format.ts";

const written = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** A sentence has its times as they stand in files and logs; a person reads them by the clock on the wall. */
export const localTimes = (sentence: string, now: number): string =>
  sentence.replaceAll(written, (time) => {
    const moment = Date.parse(time);
    return Number.isNaN(moment) ? time : formatTime(moment, now);
  });
