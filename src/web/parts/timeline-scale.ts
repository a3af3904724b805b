/** Longer pauses are drawn as if they lasted this long, so that a night does not squeeze the work into a corner. */
const maxGapMs = 15 * 60_000;

/** Where a time is drawn, between 0 and 1. `times`: everything that is drawn. */
export function timeScale(times: readonly number[]): (time: number) => number {
  const sorted = [...new Set(times)].sort((a, b) => a - b);
  const places: number[] = [];
  let place = 0;
  sorted.forEach((time, at) => {
    place += at === 0 ? 0 : Math.min(maxGapMs, time - (sorted[at - 1] ?? time));
    places.push(place);
  });
  return (time) => {
    if (place === 0) return 0.5;
    const after = sorted.findIndex((each) => each >= time);
    if (after < 0) return 1;
    if (after === 0) return 0;
    const [from = 0, to = 1] = [sorted[after - 1], sorted[after]];
    const [start = 0, end = 0] = [places[after - 1], places[after]];
    return (start + ((time - from) / (to - from)) * (end - start)) / place;
  };
}
