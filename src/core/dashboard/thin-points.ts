import type { TimelinePoint } from "./contract.ts";

/** At most `max` of the points: the first and last of each stretch, and its highest, so that no peak is lost. */
export function thinPoints(points: readonly TimelinePoint[], max: number): readonly TimelinePoint[] {
  if (points.length <= max) return points;
  const stretches = Math.max(1, Math.floor(max / 3));
  const kept = new Set<TimelinePoint>();
  for (let at = 0; at < stretches; at++) {
    const from = Math.floor((at * points.length) / stretches);
    const stretch = points.slice(from, Math.floor(((at + 1) * points.length) / stretches));
    const [first] = stretch;
    const last = stretch.at(-1);
    if (!first || !last) continue;
    kept.add(first).add(last);
    kept.add(stretch.reduce((highest, each) => (each.tokens > highest.tokens ? each : highest), first));
  }
  return points.filter((point) => kept.has(point));
}
