// `npm test` tries a fixed sample of the faults; `bun run test:faults` tries all of them and counts them.
import { appendFileSync } from "node:fs";

export const inFull: boolean = process.env["FAULTS"] === "full";

/**
 * Returns up to `fullCount` items in the full form, otherwise `sampleCount`, spread evenly. The name shifts the selection, so
 * that different tests try different points.
 */
export function sampleOf<T>(all: readonly T[], sampleCount: number, name: string, fullCount = Infinity): readonly T[] {
  const wanted = inFull ? fullCount : sampleCount;
  if (all.length <= wanted) return all;
  const stride = all.length / wanted;
  const shift = Number(Bun.hash.crc32(name)) % Math.floor(stride);
  return Array.from({ length: wanted }, (_, index) => all[Math.floor(index * stride) + shift]).filter(
    (each): each is T => each !== undefined,
  );
}

/** Counts tried points for the table of `bun run test:faults`: of one test, or of the fault `how` in the story `what`. */
export function tally(points: number, what: string, how?: string): void {
  const file = process.env["FAULTS_TALLY"];
  if (file) appendFileSync(file, `${JSON.stringify({ what, how, points })}\n`);
}
