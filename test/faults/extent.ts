// `npm test` tries a sample, the same each time; `bun run test:faults` tries everything, and counts.
import { appendFileSync } from "node:fs";

export const inFull: boolean = process.env["FAULTS"] === "full";

/**
 * All in full, or as many as `most`; otherwise a few, spread evenly. The name shifts them, so that not every test tries the same
 * places.
 */
export function sampleOf<T>(all: readonly T[], few: number, name: string, most = Infinity): readonly T[] {
  const wanted = inFull ? most : few;
  if (all.length <= wanted) return all;
  const stride = all.length / wanted;
  const shift = Number(Bun.hash.crc32(name)) % Math.floor(stride);
  return Array.from({ length: wanted }, (_, index) => all[Math.floor(index * stride) + shift]).filter(
    (each): each is T => each !== undefined,
  );
}

/** For the table at the end of `bun run test:faults`: so many points of this, or of this fault in this story. */
export function tally(points: number, what: string, how?: string): void {
  const file = process.env["FAULTS_TALLY"];
  if (file) appendFileSync(file, `${JSON.stringify({ what, how, points })}\n`);
}
