import type { Piece } from "./transcript-piece.ts";

/** Pieces of the transcript in their order, with what the snapshot has more; `replaced` are those it has better. */
export interface Merged {
  pieces: Piece[];
  /** By a better copy from the snapshot. */
  replaced: { damaged: Piece; by: Piece }[];
}

/**
 * Puts the records that only the snapshot has back to where they were: behind the record that they followed there.
 * A transcript only ever grows, so whatever is missing from it was lost. Of two copies of one record the transcript's
 * stays, unless that is the damaged one.
 */
export function mergeSnapshot(pieces: readonly Piece[], snapshot: readonly Piece[]): Merged | undefined {
  const usable = snapshot.filter(({ record, isMangled }) => record && !isMangled);
  const places = new Map<string, number>();
  const hashes = new Set<number>();
  for (const [index, piece] of pieces.entries()) {
    if (!piece.record) continue;
    hashes.add(piece.hash);
    const { uuid } = piece.record;
    if (uuid !== undefined && !places.has(uuid)) places.set(uuid, index);
  }
  // Another conversation under the same name is no source for this one.
  if (places.size > 0 && !usable.some(({ record }) => record?.uuid !== undefined && places.has(record.uuid)))
    return undefined;
  const replaced: Merged["replaced"] = [];
  const better = new Map<number, Piece>();
  const behind = new Map<number, Piece[]>();
  const shifted = shiftedRecords(pieces, usable, places);
  let last = -1;
  // Lines without a uuid repeat themselves. Whether one is missing too, those around it tell.
  let undecided: Piece[] = [];
  let inGap = false;
  const recover = (piece: Piece): void => {
    const run = behind.get(last) ?? [];
    run.push(...undecided, piece);
    behind.set(last, run);
    undecided = [];
    inGap = true;
  };
  const reach = (place: number): void => {
    last = place;
    undecided = [];
    inGap = false;
  };
  for (const piece of usable) {
    const uuid = piece.record?.uuid;
    const place = uuid === undefined ? undefined : (places.get(uuid) ?? shifted.get(piece));
    const next = nextRecord(pieces, last);
    if (place !== undefined) {
      reach(place);
      const present = pieces[place];
      if (!present || better.has(place) || !isBetter(piece, present)) continue;
      better.set(place, piece);
      replaced.push({ damaged: present, by: piece });
    } else if (uuid === undefined && pieces[next]?.hash === piece.hash) {
      reach(next);
    } else if (uuid !== undefined || inGap || !hashes.has(piece.hash)) {
      recover(piece);
    } else {
      undecided.push(piece);
    }
  }
  const merged = pieces.flatMap((piece, index) => [better.get(index) ?? piece, ...(behind.get(index) ?? [])]);
  return { pieces: [...(behind.get(-1) ?? []), ...merged], replaced };
}

function nextRecord(pieces: readonly Piece[], last: number): number {
  let next = last + 1;
  while (next < pieces.length && !pieces[next]?.record) next++;
  return next;
}

function isBetter(copy: Piece, present: Piece): boolean {
  if (copy.hash === present.hash) return false;
  // Where a record hangs never changes in its life.
  return (
    present.isMangled ||
    present.bytes !== undefined ||
    present.record?.uuid !== copy.record?.uuid ||
    present.record?.parent !== copy.record?.parent
  );
}

/** A record whose own uuid was hit: alike in all else to one that is missing, and unknown to the snapshot. */
function shiftedRecords(
  pieces: readonly Piece[],
  usable: readonly Piece[],
  places: ReadonlyMap<string, number>,
): Map<Piece, number> {
  const known = new Set(usable.map(({ record }) => record?.uuid));
  const strangers = new Map<string, number>();
  for (const [index, piece] of pieces.entries()) {
    const uuid = piece.record?.uuid;
    if (uuid !== undefined && !known.has(uuid)) strangers.set(likeness(piece), index);
  }
  const shifted = new Map<Piece, number>();
  if (strangers.size === 0) return shifted;
  for (const piece of usable) {
    const uuid = piece.record?.uuid;
    const place = uuid === undefined || places.has(uuid) ? undefined : strangers.get(likeness(piece));
    if (place !== undefined) shifted.set(piece, place);
  }
  return shifted;
}

const likeness = ({ record, from, to }: Piece): string =>
  [record?.parent, record?.type, record?.timestamp, to - from].join(" ");
